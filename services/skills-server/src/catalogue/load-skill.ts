import type { BundleFile, BundleManifest } from '@landfall/bundle/core'
import { checkSkillMarkdown, makeManifest, quotePath, Tally } from '@landfall/bundle/core'
import { LandfallError } from '@landfall/contracts'
import type { Markdown } from '../corpus/frontmatter.ts'
import { splitMarkdown } from '../corpus/frontmatter.ts'
import type { Catalogue } from './catalogue.ts'
import { sha256 } from './digest.ts'
import type { ServedFile, ServedSkill } from './served.ts'
import { fileUri, markdownPath } from './uris.ts'

/**
 * One skill as this endpoint serves it right now: instructions, and what can be pinned of them. Each file is read
 * once, as a client would read it, so that a fixture that lies to readers lies here too, and what is hashed is
 * what is returned.
 */
export interface LoadedSkill {
  readonly skill: ServedSkill
  /** Frontmatter of the very bytes that were read. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
  /** Of SKILL.md as a whole. */
  readonly sha256: string
  readonly bundle?: BundleManifest
}

/**
 * @param name the skill's, or its path where several skills share a name.
 * @param withBundle also the manifest of its directory, which needs every file.
 * @throws LandfallError `unknown`, `conflict`, `invalid`, without a word of what the skill says.
 */
export async function loadSkill(catalogue: Catalogue, name: string, withBundle: boolean): Promise<LoadedSkill> {
  const { skills } = await catalogue.unpacked()
  const skill = named(name, skills)
  const markdown = await bytesOf(catalogue, skill, markdownOf(skill))
  if (markdown === undefined) throw new LandfallError('unknown', 'The skill is no longer readable')
  const { fields, body } = partsOf(markdown)
  const loaded = { skill, fields, body, sha256: sha256(markdown) }
  return withBundle ? { ...loaded, bundle: await bundleOf(catalogue, skill, markdown, skills) } : loaded
}

/** A parser's own words could repeat a piece of the file. */
function partsOf(markdown: Buffer): Markdown {
  try {
    return splitMarkdown(markdown)
  } catch (cause) {
    throw new LandfallError(
      'invalid',
      'The skill is not readable: its SKILL.md or the frontmatter of it',
      {},
      { cause },
    )
  }
}

/** By its own name, or by its path where several have that name. */
function named(name: string, skills: readonly ServedSkill[]): ServedSkill {
  const readable = skills.filter((skill) => markdownOf(skill) !== undefined)
  const found = readable.filter(({ frontmatter }) => frontmatter.name === name)
  const [skill, another] = found.length > 0 ? found : readable.filter(({ path }) => path === name)
  const shown = quotePath(name.slice(0, 100))
  if (skill === undefined) throw new LandfallError('unknown', `Unknown skill: ${shown}`, { kind: 'skill', name })
  if (another === undefined) return skill
  const paths = found.map(({ path }) => quotePath(path)).join(', ')
  throw new LandfallError('conflict', `Several skills are named ${shown}; give the path of one of them: ${paths}`)
}

/** Every file below the skill's directory, those of nested skills too. @throws LandfallError as `makeManifest` does. */
async function bundleOf(
  catalogue: Catalogue,
  skill: ServedSkill,
  markdown: Buffer,
  skills: readonly ServedSkill[],
): Promise<BundleManifest> {
  checkSkillMarkdown(markdown)
  const tally = new Tally()
  const files: BundleFile[] = []
  for (const owner of skills.filter(({ path }) => path === skill.path || path.startsWith(`${skill.path}/`))) {
    const folder = owner.path.slice(skill.path.length + 1)
    for (const file of owner.files) {
      const isMarkdown = owner === skill && file.path === markdownPath
      const bytes = isMarkdown ? markdown : await bytesOf(catalogue, owner, file)
      if (bytes === undefined) continue
      const path = folder === '' ? file.path : `${folder}/${file.path}`
      // Before it is hashed: a skill that is too large costs nothing.
      tally.file(path, bytes.length)
      files.push({ path, bytes: bytes.length, sha256: sha256(bytes) })
    }
  }
  return await makeManifest(files, sha256)
}

function markdownOf({ files }: ServedSkill): ServedFile | undefined {
  return files.find(({ path }) => path === markdownPath)
}

async function bytesOf(
  catalogue: Catalogue,
  skill: ServedSkill,
  file: ServedFile | undefined,
): Promise<Buffer | undefined> {
  return file === undefined ? undefined : (await catalogue.read(fileUri(skill, file)))?.bytes
}
