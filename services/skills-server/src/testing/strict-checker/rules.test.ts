import { fixtures } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { honestTarGz } from '../../archive/honest.ts'
import type { FixtureBuilder } from '../../catalogue/served.ts'
import { asFiles, skillOf } from '../../payload/skill.ts'
import { openTrial, startTestService } from '../service.ts'
import {
  directory,
  entry,
  gotAnswers,
  indexed,
  listAnswers,
  manifest,
  moved,
  read,
  reads,
  refused,
  resource,
  result,
  rewritten,
  without,
} from './changes.ts'
import { checkIndex, checkStable, indexRuleSet, stableRules } from './index.ts'
import type { Fields, IndexSurvey, Listing, StableSurvey } from './survey.ts'
import { measured } from './survey.ts'
import { visitIndex, visitStable } from './visit.ts'
import { askOver } from './wire.ts'

/**
 * Each rule that no fixture breaks, broken on purpose: what a visit to an honest server has seen, with one thing
 * changed. So every rule of the checker is shown to find what it is about, here or by a fixture.
 */
const name = 'demo'
const root = `skill://${name}`
const uri = `${root}/SKILL.md`
const scripts = `${root}/scripts`
const innerUri = `${root}/inner/SKILL.md`
const archiveUri = `${root}.tar.gz`

const outer = skillOf({ name, description: 'A demonstration.', body: ['Run `scripts/run.sh`.'], inside: 'none' })
const inner = skillOf({ name: 'inner', description: 'Inside another.', body: ['Nothing to do.'], inside: 'none' })
const run = Buffer.from("#!/bin/sh\necho 'demonstration'\n")

const build: FixtureBuilder = async () => {
  const packed = await honestTarGz([
    { path: 'SKILL.md', mode: 0o644, bytes: outer.markdown },
    { path: 'scripts/run.sh', mode: 0o755, bytes: run },
  ])
  const served = asFiles(outer, [{ path: 'scripts/run.sh', bytes: run }])
  const nested = { ...asFiles(inner), path: `${name}/inner` }
  return { skills: [{ ...served, archives: [{ format: 'tar.gz', bytes: packed }] }, nested] }
}

async function surveys() {
  const sources = { fixtures: new Map(), corpus: new Map(), single: new Map([[name, build]]) }
  await using service = await startTestService({ sources })
  const stable = await visitStable(askOver(await openTrial(service, 's', name, 'stable'), 'modern'), [])
  const index = await visitIndex(askOver(await openTrial(service, 'i', name, 'index'), 'legacy'), [])
  return { stable, index }
}

const honest = await surveys()

/** Every nested skill is a matter of consent, so this is said of the honest survey too. */
const always = ['H5']
const unreadable: Listing = { answers: [{ error: -32602 }], items: [], ends: false }
const empty: Listing = { answers: [result({ resultType: 'complete' })], items: [], ends: true }
const invalid = { error: -32602 }
const extended = (fields: string) => `---\nname: demo\ndescription: A demonstration.\n${fields}\n---\n`

/** SKILL.md and its entry with one more field. */
function withField(survey: StableSurvey, yaml: string, fields: Fields): StableSurvey {
  const told = entry(survey, uri, (item) => ({ ...item, frontmatter: { ...outer.frontmatter, ...fields } }))
  return rewritten(told, uri, extended(yaml))
}

function nameless(survey: StableSurvey): StableSurvey {
  const told = entry(survey, uri, (item) => ({ ...item, frontmatter: { name } }))
  return rewritten(
    resource(told, uri, (item) => without(item, 'description')),
    uri,
    '---\nname: demo\n---\n',
  )
}

type Row<S> = readonly [what: string, ids: readonly string[], change: (survey: S) => S]

const stableTable: readonly Row<StableSurvey>[] = [
  ['a missing method', ['S1', 'S24'], (s) => refused(s, 'skills/get', -32601)],
  ['no directories', ['S2', 'S28'], (s) => refused(s, 'resources/directory/read', -32601)],
  ['no declaration', ['S3'], (s) => ({ ...s, capabilities: {} })],
  ['no frontmatter', ['S4'], (s) => rewritten(s, uri, '# demo\n')],
  ['no description', ['S4'], nameless],
  ['a URI that is none', ['S7'], (s) => moved(s, root, 'skill://de mo/demo')],
  ['another media type', ['S8'], (s) => resource(s, uri, (item) => ({ ...item, mimeType: 'text/plain' }))],
  ['another prefix', ['S8'], (s) => resource(s, uri, (item) => ({ ...item, _meta: { own: 1 } }))],
  [
    'a reserved key',
    ['S10'],
    (s) =>
      withField(s, 'metadata: { io.modelcontextprotocol/x: a }', { metadata: { 'io.modelcontextprotocol/x': 'a' } }),
  ],
  [
    'an entry on two pages',
    ['S11', 'S22'],
    (s) => ({ ...s, list: { ...s.list, items: [...s.list.items, ...s.list.items.slice(0, 1)] } }),
  ],
  [
    'a nested file that is left out',
    ['S17', 'H17', 'S13'],
    (s) => manifest(s, uri, (items) => items.filter((item) => item['uri'] !== innerUri)),
  ],
  ['no resultType', ['S20'], (s) => listAnswers(s, (fields) => without(fields, 'resultType'))],
  ['no ttlMs', ['S21'], (s) => listAnswers(s, (fields) => without(fields, 'ttlMs'))],
  ['a skill that cannot be got', ['S23'], (s) => ({ ...s, got: new Map([...s.got, [uri, invalid]]) })],
  ['a code of old', ['S24'], (s) => refused(s, 'skills/get', -32002)],
  ['a page of one skill', ['S25'], (s) => gotAnswers(s, (fields) => ({ ...fields, nextCursor: 'x' }))],
  ['no cacheScope', ['S25'], (s) => gotAnswers(s, (fields) => without(fields, 'cacheScope'))],
  ['a child that is not listed', ['S27'], (s) => directory(s, scripts, empty)],
  [
    'a file that is a directory',
    ['S28'],
    (s) => ({
      ...s,
      refusals: s.refusals.map((one) => (one.why === 'unknown' ? one : { ...one, answer: result({}) })),
    }),
  ],
  ['a directory that cannot be read', ['S27', 'S29'], (s) => directory(s, scripts, unreadable)],
  ['an internal error', ['S30'], (s) => reads(s, 'skill://other/x', [{ error: -32603 }])],
  ['a mark of nesting', ['S31'], (s) => entry(s, innerUri, (item) => ({ ...item, parent: uri }))],
  [
    'a packed form',
    ['S14', 'S26', 'S33'],
    (s) => manifest(s, uri, (items) => [...items, { uri: `${root}.zip`, digest: measured(run).digest, size: 1 }]),
  ],
  ['hooks', ['H25'], (s) => withField(s, 'hooks: {}', { hooks: {} })],
]

/** What follows whenever SKILL.md is not the one that the digest and the archive are of. */
const unlikeStated = ['iS9', 'iS13', 'iH7', 'iH9']

const indexTable: readonly Row<IndexSurvey>[] = [
  ['no frontmatter', ['iS1', ...unlikeStated], (s) => read(s, uri, '# demo\n')],
  ['a skill in a skill', ['iS4', 'iS13', 'iS16'], (s) => read(s, innerUri, extended(''))],
  ['a URI that is none', ['iS5'], (s) => moved(s, root, 'skill://de mo/demo')],
  [
    'a resource of another scheme',
    ['iS6'],
    (s) => ({ ...s, resources: { ...s.resources, items: [...s.resources.items, { uri: 'other://x/SKILL.md' }] } }),
  ],
  ['another media type', ['iS7'], (s) => resource(s, uri, (item) => ({ ...item, mimeType: 'text/plain' }))],
  ['no index', ['iS8'], (s) => ({ ...s, index: undefined })],
  ['a field too many', ['iS8'], (s) => ({ ...s, index: { skills: [], version: 1 } })],
  ['no digest', ['iS9', 'iH7'], (s) => indexed(s, (item) => without(item, 'digest'))],
  [
    'another format',
    ['iS11'],
    (s) =>
      indexed(s, (item) => ({
        ...item,
        archives: (item['archives'] as Fields[]).map((one) => ({ ...one, mimeType: 'application/x-7z-compressed' })),
      })),
  ],
  [
    'a wrapper directory',
    ['iS12', 'iS13'],
    (s) => {
      const wrapped = [...s.archives].map(([url, entries]) => {
        return [url, entries.map((one) => ({ ...one, name: `demo/${one.name}` }))] as const
      })
      return { ...s, archives: new Map(wrapped) }
    },
  ],
  [
    'a digest in capitals',
    ['iS15', 'iS9', 'iH7'],
    (s) => indexed(s, (item) => ({ ...item, digest: String(item['digest']).toUpperCase() })),
  ],
  ['a directory that cannot be read', ['iS16'], (s) => directory(s, scripts, unreadable)],
  ['a code of old', ['iS17'], (s) => refused(s, 'resources/read', -32002)],
  [
    'the reserved name',
    ['iS18', 'iS3', 'iS10', 'iH8'],
    (s) => indexed(s, (item) => ({ ...item, frontmatter: { ...outer.frontmatter, name: 'index.json' } })),
  ],
  ['an archive that cannot be read', ['iS19'], (s) => reads(s, archiveUri, [invalid, invalid])],
  ['hooks', ['iH11', 'iS10', 'iH8', ...unlikeStated], (s) => read(s, uri, extended('hooks: {}'))],
]

const broken = (report: object) => Object.keys(report).toSorted()

describe('the strict checker', () => {
  it('reports nothing of an honest server but that a nested skill needs consent', () => {
    expect(broken(checkStable(honest.stable))).toEqual(always)
    expect(checkIndex(honest.index)).toEqual({})
  })

  it.each(stableTable)('finds %s', (_what, ids, change) => {
    const report = checkStable(change(honest.stable))
    expect({ broken: broken(report), report }).toMatchObject({ broken: [...ids, ...always].toSorted() })
  })

  it.each(indexTable)('finds in the index revision %s', (_what, ids, change) => {
    const report = checkIndex(change(honest.index))
    expect({ broken: broken(report), report }).toMatchObject({ broken: ids.toSorted() })
  })

  it('has no rule that nothing was ever shown to break', () => {
    const shown = new Set([
      ...fixtures.flatMap(({ clauses }) => Object.values(clauses).flatMap(({ ids }) => ids)),
      ...[...stableTable, ...indexTable].flatMap(([, ids]) => ids),
    ])
    const rules = [...stableRules, ...indexRuleSet].map(({ id }) => id)
    expect(rules.filter((id) => !shown.has(id))).toEqual([])
  })
})
