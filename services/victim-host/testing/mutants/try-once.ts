import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { askedSites, classify, decoys, decoyToken, type FixtureRow, fixtureTokens } from '@landfall/catalog'
import { deriveCanary, parseAs, type Revision, TrialEndpoint, trialPath, TrialRecord } from '@landfall/contracts'
import type { Consent } from '../../src/reference/consent.ts'
import { Disk } from '../../src/reference/disk.ts'
import { visit, type Visited } from '../../src/reference/reference.ts'
import type { Decision, Rule } from '../../src/reference/rule.ts'
import type { SkillsServer } from '../skills-server.ts'
import { observeTree } from './observe.ts'

/** One fixture in one revision. */
export interface Cell {
  readonly fixture: FixtureRow
  readonly revision: Revision
}

export interface Tried {
  /** Sites whose effect is harm and was seen, sorted. */
  readonly harm: readonly string[]
  /** What can be told apart from outside: ends, sites, requests, questions. Two equal ones are the same behaviour. */
  readonly behaviour: string
  readonly visited: Visited
  readonly decisions: readonly Decision[]
}

const home = '/home/agent'
const label = 'lab'

/** What the user says, so that nothing but a rule stands in the way. */
export function consentFor({ action }: FixtureRow): Consent {
  return action === 'gate' || action === 're-prompt' ? 'once' : 'always'
}

/** The reference host without `off`, against one fixture, in a temporary folder that stands for its machine. */
export async function tryOnce(server: SkillsServer, { fixture, revision }: Cell, off: readonly Rule[]): Promise<Tried> {
  const key = `t-${randomBytes(16).toString('hex')}`
  const canary = deriveCanary('mutants', `${fixture.id}.${revision}`)
  const root = mkdtempSync(join(tmpdir(), 'mutant-'))
  try {
    plantDecoys(root, canary)
    await control(server, 'POST', '/trials', { key, fixture: fixture.id, revision, canary }, TrialEndpoint)
    const ran: string[] = []
    const sent: string[] = []
    const loaded: string[] = []
    const decisions: Decision[] = []
    const disk = new Disk(root)
    const visited = await visit({
      url: new URL(trialPath(key), server.url),
      label,
      revision,
      consent: consentFor(fixture),
      without: off,
      disk,
      home,
      log: (decision) => void decisions.push(decision),
      around: {
        // Never run: what it would have left is written down where a command would have left it.
        run: (command) => {
          disk.write(`${home}/workspace/ran-${ran.push(command)}.txt`, Buffer.from(command), 0o644)
        },
        elsewhere: async (uri) => {
          sent.push(uri)
          await Promise.resolve()
        },
        context: (text) => void loaded.push(text),
      },
    })
    const record = await control(server, 'DELETE', `/trials/${key}`, undefined, TrialRecord)
    const sites = sitesOf(root, { fixture, revision }, canary, { record, sent, loaded })
    const ends = visited.skills.map(({ name, outcome, rule }) => [name, outcome, rule])
    const access = record.access.map(({ method, uri, error }) => [method, uri, error])
    const behaviour = JSON.stringify([
      ends,
      sites,
      access,
      visited.asked.map(({ what, uri }) => [what, uri]),
      ran,
      loaded,
    ])
    const harm = [...new Set(sites.filter(({ harmful }) => harmful).map(({ site }) => site))].toSorted()
    return { harm, behaviour, visited, decisions }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

interface Outside {
  readonly record: TrialRecord
  readonly sent: readonly string[]
  readonly loaded: readonly string[]
}

/** What classify says, with the host's own folders of a skill as its directories too; and what no disk shows. */
function sitesOf(root: string, { fixture }: Cell, canary: string, { record, sent, loaded }: Outside) {
  const seen = observeTree(root, home, fixture, canary)
  const bare = fixture.skills.map((skill) => `${home}/.agents/skills/${skill}`)
  const own = seen.changes.flatMap(({ path }) => /^.*\/lab\/[0-9a-f]{16}\/files(?=\/|$)/.exec(path)?.[0] ?? [])
  const onDisk = (place: 'inside' | 'other', directories: readonly string[]) => {
    const sites = fixture.sites.filter((site) => (site.place === 'inside') === (place === 'inside'))
    return classify({ ...fixture, sites }, seen, [...new Set(directories)])
  }
  const elsewhere = fixture.sites.flatMap(({ id, detect }) => {
    const token = fixtureTokens(fixture, canary).find(({ site }) => site === id)?.token ?? ''
    const where = detect === 'sent' ? sent : detect === 'loaded' ? loaded : []
    return where.some((text) => text.includes(token)) ? [{ site: id, path: detect, harmful: true }] : []
  })
  return [
    ...onDisk('inside', bare),
    ...onDisk('other', [...bare, ...own]),
    ...elsewhere,
    ...askedSites(fixture, record.access),
  ]
}

function plantDecoys(root: string, canary: string): void {
  for (const { name, path, content } of decoys) {
    const place = join(root, home, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, content(decoyToken(canary, name)))
  }
  mkdirSync(join(root, home, 'workspace'), { recursive: true })
}

async function control<S extends Parameters<typeof parseAs>[0]>(
  { controlUrl }: SkillsServer,
  method: string,
  path: string,
  body: unknown,
  schema: S,
) {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const answer = await fetch(`${controlUrl}${path}`, { method, ...init })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return parseAs(schema, await answer.json(), path)
}
