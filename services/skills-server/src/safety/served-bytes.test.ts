import type { Revision } from '@landfall/contracts'
import { corpusSkills, fixtures, remoteAnswers } from '@landfall/catalog'
import { deriveCanary } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../catalogue/digest.ts'
import type { FixturePayload, ServedArchive, ServedSkill } from '../catalogue/served.ts'
import { claims } from '../catalogue/lies.ts'
import { bothRevisions } from '../catalogue/view.ts'
import { loadBuilders } from '../fixtures/index.ts'
import { gzip } from '../archive/gzip.ts'
import { tarArchive, tarFile } from '../archive/tar.ts'
import { toldBytes } from '../testing/told.ts'
import { gunzip, unpack } from '../testing/unpack.ts'
import type { Hazard } from './hazards.ts'
import { findHazards } from './hazards.ts'

/** Each revision alone, and both together: a skill may be told differently in each. */
const views: readonly (readonly Revision[])[] = [['index'], ['stable'], bothRevisions]

/**
 * Everything that reaches a client in any revision, and everything inside the archives: names, targets, content, and whatever
 * stands between the entries that one reader sees.
 */
async function hazardsOf(payload: FixturePayload): Promise<Hazard[]> {
  const told = views.flatMap((revisions) => toldBytes(payload, revisions))
  const direct = [...new Map(told.map((bytes) => [sha256(bytes), bytes])).values()].flatMap(findHazards)
  const archived: Hazard[] = []
  // One after the other: some unpack to many mebibytes.
  for (const archive of payload.skills.flatMap(({ archives }) => archives))
    archived.push(...(await hazardsInside(archive)))
  return [...direct, ...archived]
}

async function hazardsInside(archive: ServedArchive): Promise<Hazard[]> {
  const { format, bytes } = archive
  const entries = await unpack(archive)
  return [
    ...findHazards(format === 'zip' ? bytes : gunzip(bytes)),
    ...entries.flatMap(({ name, target = '', content }) => [
      ...findHazards(Buffer.from(`${name}\n${target}`)),
      ...findHazards(content),
    ]),
  ]
}

const builders = await loadBuilders()

describe('everything that is served', { timeout: 30_000 }, () => {
  it.each([...builders.keys()])('%s is benign in every byte', async (id) => {
    const build = builders.get(id)
    expect(build).toBeDefined()
    const payload = await build?.(deriveCanary('safety', id))
    expect(await hazardsOf(payload ?? { skills: [] })).toEqual([])
  })

  it.each([...fixtures, ...corpusSkills].filter(({ remote }) => remote !== undefined))(
    'what the sinkhole answers for $id is benign too',
    (row) => {
      const answers = remoteAnswers(row, deriveCanary('safety', row.id))
      const bytes = answers.map(({ path, contentType, body }) => Buffer.from(`${path}\n${contentType}\n${body}`))
      expect(bytes.flatMap(findHazards)).toEqual([])
    },
  )

  it.each(['index', 'stable'] as const)(
    'would be caught if it were not, in the %s revision alone',
    async (revision) => {
      const skill: ServedSkill = {
        path: 'bad',
        frontmatter: { name: 'bad', description: 'bad' },
        files: [{ path: 'SKILL.md', bytes: Buffer.from('fine') }],
        archives: [],
        lie: { [revision]: { entry: claims({ description: 'See https://evil.corp/x' }) } },
      }
      expect((await hazardsOf({ skills: [skill] })).map(({ kind }) => kind)).toContain('address')
    },
  )

  it('would be caught if it were not, even deep inside an archive', async () => {
    const bad = gzip(tarArchive([tarFile('SKILL.md', Buffer.from('fine')), tarFile('x.sh', Buffer.from('rm -rf ~\n'))]))
    const skill: ServedSkill = {
      path: 'bad',
      frontmatter: { name: 'bad', description: 'bad' },
      files: [
        {
          path: 'SKILL.md',
          bytes: Buffer.from('fine'),
          lie: { reads: [Buffer.from('Get it from https://evil.corp/x')] },
        },
      ],
      archives: [{ format: 'tar.gz', bytes: bad }],
    }
    const kinds = (await hazardsOf({ skills: [skill] })).map(({ kind }) => kind)
    expect(kinds).toContain('address')
    expect(kinds).toContain('command')
  })
})
