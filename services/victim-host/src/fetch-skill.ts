import { createHash } from 'node:crypto'
import type { ArchiveFormat } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts/errors'
import type { ResourceReader } from './mcp/reader.ts'
import { quoted } from './printable.ts'
import type { OfferedArchive, OfferedSkill } from './skill-index.ts'
import { parseSkillIndex } from './skill-index.ts'

/** Brings skills over MCP: reads the index, picks the archive that the host takes, verifies its digest (iH7). */
export const indexUri = 'skill://index.json'

/**
 * The skills to install: those called `names` in that order, or all that the index lists.
 *
 * @throws LandfallError `service` when there is no usable index, when a name is missing, or when an entry
 * that is wanted cannot be used, such as one whose name could climb out of the directory of skills.
 */
export async function readIndex(reader: ResourceReader, names?: readonly string[]): Promise<readonly OfferedSkill[]> {
  const { text, blob } = await reader.read(indexUri)
  const index = parseSkillIndex(text ?? Buffer.from(blob ?? '', 'base64').toString('utf8'))
  if (index === undefined) throw new LandfallError('service', `${indexUri} is not an index of skills`)
  const [problem] = index.rejected
  if (names === undefined) {
    if (problem !== undefined) throw new LandfallError('service', problem, { rejected: index.rejected })
    return index.skills
  }
  return names.map((name) => {
    const skill = index.skills.find((candidate) => candidate.name === name)
    if (skill === undefined) throw new LandfallError('service', `the server does not list a skill ${quoted(name)}`)
    return skill
  })
}

/** The archive of a skill in the first of the host's formats that it comes in. */
export function pickArchive(skill: OfferedSkill, formats: readonly ArchiveFormat[]): OfferedArchive | undefined {
  const candidates = formats.map((format) => skill.archives.find((archive) => archive.format === format))
  return candidates.find((archive) => archive !== undefined)
}

/**
 * Reads an archive and verifies it against the digest of the index (iH7).
 *
 * @throws LandfallError `service` when it cannot be read, `digest` when its bytes are not the ones promised.
 */
export async function fetchArchive(reader: ResourceReader, { uri, sha256 }: OfferedArchive): Promise<Buffer> {
  const { blob } = await reader.read(uri)
  if (blob === undefined) throw new LandfallError('service', `${quoted(uri)} was served as text`, { uri })
  const bytes = Buffer.from(blob, 'base64')
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual !== sha256) {
    throw new LandfallError(
      'digest',
      `the index promises sha256 ${sha256} for ${quoted(uri)}, its bytes have ${actual}`,
      { uri },
    )
  }
  return bytes
}
