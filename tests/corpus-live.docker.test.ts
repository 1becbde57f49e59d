import { randomBytes } from 'node:crypto'
import { corpusSkills, fixtures, type Site } from '@landfall/catalog'
import { isSevere, ObserverState, TrialExport } from '@landfall/contracts'
import type { Page } from 'playwright-core'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { startLab, type StartedLab } from '../runner/src/lab.ts'
import { planRun, type PlannedTrial } from '../runner/src/plan.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { loadProfiles } from '../runner/src/profiles.ts'
import { runTrial } from '../runner/src/trial.ts'
import { launchBrowser, openPage } from '../services/observer/src/testing/browser.ts'
import { root } from './support/landfall.ts'

/** The corpus on the host that resists nothing, each skill used by the scripted agent, with every witness at work. */
const engine = await connectEngine()
const { images } = await preflight({ root, say: () => undefined })
const naive = (await loadProfiles()).filter(({ id }) => id === 'naive')

const selection = { users: ['agent'], channels: ['archive-file'] } as const
const trials = planRun({ fixtures: corpusSkills, hosts: naive, selection, seed: 1 }).filter(
  (planned): planned is PlannedTrial => planned.kind === 'trial',
)

const signal = AbortSignal.timeout(600_000)
let lab: StartedLab

beforeAll(async () => {
  const run = `corpus-${randomBytes(3).toString('hex')}`
  lab = await startLab({ engine, root, images, run, observers: 1 })
})
afterAll(async () => await lab[Symbol.asyncDispose]())

async function runOne(trial: PlannedTrial) {
  const [observer] = lab.observers
  if (observer === undefined) throw new Error('the lab has no observer')
  const key = `t-${randomBytes(16).toString('hex')}`
  return { key, ...(await runTrial(trial, { engine, lab, observer, key, signal, crossCheck: false })) }
}

const get = async (url: string): Promise<unknown> => (await fetch(url)).json()

/** Names of the sites that the page is told of; of a decoy what was done to it, which is all that a page says. */
async function toldOf(url: string, key: string): Promise<ReadonlySet<string>> {
  const { trial } = TrialExport.parse(await get(`${url}/trials/${key}/export`))
  const { sinkhole = [] } = ObserverState.parse(await get(`${url}/state`))
  expect(trial.state).toBe('ended')
  const landed = trial.findings.filter(({ kind }) => kind === 'landed').map(({ text }) => text.split(/[/:]/)[1] ?? '')
  const uses = trial.decoys.flatMap(({ uses: of }) => of.map(({ how }) => how))
  const sent = sinkhole.flatMap((event) => (event.trial === key && event.kind === 'sent' ? [event.site ?? ''] : []))
  return new Set([...landed, ...uses, ...sent])
}

const toldAs = ({ id, detect }: Site): string => (detect === 'copy' ? 'copied' : detect === 'symlink' ? 'linked' : id)

/** Waits until a person would see it. */
async function untilShown(page: Page, site: Site): Promise<void> {
  const use = site.detect === 'copy' || site.detect === 'symlink'
  const place = use ? page.locator('#decoys .tag') : page.locator(site.detect === 'sent' ? '#sinkhole' : '#landings')
  const hasText = use ? toldAs(site) : site.detect === 'sent' ? site.id : site.meaning
  await place.filter({ hasText }).first().waitFor()
}

/** Connections of one victim, by 500 at a time: each asks once and is held until all of its wave are through. */
const connections = 4_000
const flood = `
  const { connect } = require('node:net')
  const one = (index) => new Promise((done) => {
    const socket = connect(80, 'flood.example')
    let answered = false
    socket.on('connect', () => socket.write('GET /' + index + ' HTTP/1.1\\r\\nHost: flood.example\\r\\n\\r\\n'))
    socket.on('data', () => { answered = true; done({ socket, answered }) })
    socket.on('error', () => undefined)
    socket.on('close', () => done({ socket, answered }))
  })
  const main = async () => {
    let answered = 0
    for (let at = 0; at < ${connections}; at += 500) {
      const wave = await Promise.all(Array.from({ length: 500 }, (_, index) => one(at + index)))
      answered += wave.filter((each) => each.answered).length
      for (const { socket } of wave) socket.destroy()
    }
    console.log('answered ' + answered + '.')
  }
  main()`

describe('a victim that floods the sinkhole with connections', () => {
  it(
    'is held to its share, loses nothing unsaid, and leaves it answering within its memory',
    { timeout: 600_000 },
    async () => {
      const [host] = naive
      const fixture = fixtures.find(({ id }) => id === 'control-benign')
      if (host === undefined || fixture === undefined) throw new Error('no naive host, or no benign skill')
      const install = host.install.map((step) => ({ ...step, run: ['node', '-e', flood], timeoutSeconds: 240 }))
      const [planned] = planRun({ fixtures: [fixture], hosts: [{ ...host, id: 'flood', install }], selection, seed: 1 })
      if (planned?.kind !== 'trial') throw new Error('no trial was planned')
      const { observed } = await runOne(planned)
      const { install: step, sent } = observed
      expect(step.exitCode, step.stderr).toBe(0)
      const answered = Number(/answered (\d+)\./.exec(step.stdout)?.[1])
      if (!('requests' in sent)) throw new Error('the sinkhole did not say what it was sent')
      expect(answered).toBeGreaterThan(1_000)
      expect(answered).toBeLessThan(connections)
      expect(sent.requests.length + sent.dropped.requests).toBe(answered)
      const turnedAway = sent.faults.filter(({ detail }) => detail === 'too many connections')
      expect(turnedAway.length).toBeGreaterThan(0)
      expect(sent.faults.length + sent.dropped.faults).toBeGreaterThanOrEqual(connections - answered)

      expect(await lab.missing()).toEqual([])
      const files = '/sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes'
      const read = ['exec', lab.sinkhole.container, 'sh', '-c', `cat ${files} 2> /dev/null`]
      const { stdout } = await execa('docker', read, { reject: false })
      expect(Number(stdout)).toBeGreaterThan(0)
      expect(Number(stdout) / 1024 / 1024).toBeLessThan(256)
      process.stdout.write(
        `flood: ${answered} of ${connections} answered, peak memory ${Math.round(Number(stdout) / 1024 / 1024)} MiB\n`,
      )
    },
  )
})

describe('the twelve skills of the corpus', () => {
  it('have every site that their rows name observed, and the page shows them', { timeout: 600_000 }, async () => {
    expect(trials.map(({ fixture }) => fixture.id).toSorted()).toEqual(corpusSkills.map(({ id }) => id).toSorted())
    expect(corpusSkills).toHaveLength(12)
    const url = lab.observers[0]?.url ?? ''
    const browser = await launchBrowser()
    await using _ = { [Symbol.asyncDispose]: () => browser.close() }
    const { page, faults } = await openPage(browser, url, { viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(30_000)
    await page.locator('#sinkhole-state', { hasText: 'listening' }).waitFor()

    for (const trial of trials) {
      const { key, result, observed } = await runOne(trial)
      const { id: skill, sites } = trial.fixture
      expect([skill, result.outcome, result.reason]).toEqual([skill, 'landed', result.reason])
      // What became of decoys besides is told, too.
      const seen = new Set(result.sites.map(({ site }) => site))
      expect([skill, sites.filter(({ id }) => !seen.has(id))]).toEqual([skill, []])
      expect([skill, observed.observation.live.losses.filter(isSevere)]).toEqual([skill, []])
      expect([skill, observed.sent]).toEqual([skill, expect.objectContaining({ key })])

      const harmful = sites.filter(({ effect }) => effect === 'harm')
      expect(harmful.length, skill).toBeGreaterThan(0)
      const told = await toldOf(url, key)
      expect([skill, harmful.map(toldAs).filter((name) => !told.has(name))]).toEqual([skill, []])
      for (const site of harmful) await untilShown(page, site)
      const shots = process.env['LANDFALL_SHOTS']
      if (shots !== undefined) await page.screenshot({ path: `${shots}/${skill}.png`, fullPage: true })
    }
    expect(faults).toEqual([])
  })
})
