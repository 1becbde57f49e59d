import { appendFileSync, linkSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { deriveCanary, manualTrial } from '@landfall/contracts'
import { decoyToken, findFixture, fixtureTokens } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { defaultLimits } from './limits.ts'
import { LiveFeed } from './live-feed.ts'
import { LiveWatch } from './live/live-watch.ts'
import type { LiveWitness } from './live/witness.ts'
import { Narrator } from './narrator.ts'
import { Tree } from './testing/tree.ts'
import { watchManual } from './watch-manual.ts'

const seed = 'a seed'
const canary = deriveCanary(seed, manualTrial)
const home = 'home/agent'

function siteToken(fixture: string, site: string): string {
  const row = findFixture(fixture)
  const found = row && fixtureTokens(row, canary).find((item) => item.site === site)
  if (found === undefined) throw new Error(`no site ${fixture}/${site}`)
  return found.token
}

/** Watches a tree as the manual victim, a hundred times faster than people do. */
async function watching(
  act: (tree: Tree, told: (text: string) => Promise<void>) => Promise<void>,
  live?: LiveWitness,
): Promise<string[]> {
  using tree = new Tree()
  using feed = new LiveFeed(systemClock)
  tree.write(`${home}/.ssh/id_rsa`, decoyToken(canary, 'ssh-key'))
  const lines: string[] = []
  const say = (_: object, text: string): unknown => lines.push(text)
  const stop = new AbortController()
  let alive = true
  let found = 0
  const watch = watchManual({
    clock: systemClock,
    limits: defaultLimits,
    hold: () => ((found += 1) === 2 ? tree.hold() : undefined),
    isAlive: () => alive,
    narrator: new Narrator({ info: say, warn: say }, feed),
    ...(live && { live }),
    demoSeed: seed,
    signal: stop.signal,
    pace: 0.01,
  }).catch((error: unknown) => String(error))
  const told = async (text: string): Promise<void> => {
    for (let tries = 0; !lines.some((line) => line.includes(text)); tries += 1) {
      if (tries > 500) throw new Error(`never said ${text}: ${lines.join(' | ')}`)
      await sleep(10)
    }
  }
  try {
    await told('watching the victim')
    await act(tree, told)
    alive = false
    await told('the victim is gone')
  } finally {
    stop.abort()
  }
  expect(await watch).toContain('AbortError')
  return lines
}

describe('the manual watch', () => {
  it('tells a landing once, however often the file changes', async () => {
    const token = siteToken('adv-zip-traversal', 'escape-relative-1')
    const lines = await watching(async (tree, told) => {
      tree.write(`${home}/.agents/skills/landfall-1.txt`, token)
      await told('LANDED')
      tree.write(`${home}/.agents/skills/landfall-1.txt`, `${token} and more`)
      tree.write(`${home}/marker`)
      await told('marker')
    })
    expect(lines.filter((line) => line.startsWith('LANDED'))).toEqual([
      "LANDED adv-zip-traversal/escape-relative-1: a file was written one level above the skill's directory -> /home/agent/.agents/skills/landfall-1.txt",
    ])
  })

  it('takes the inbox for a delivery', async () => {
    const lines = await watching(async (tree, told) => {
      tree.write(`${home}/.landfall/inbox/a.zip`, siteToken('adv-zip-traversal', 'escape-absolute'))
      await told('a.zip')
    })
    expect(lines.filter((line) => /LANDED|trace/.test(line))).toEqual([])
  })

  it('tells a hard link to a decoy once, with its own path', async () => {
    const lines = await watching(async (tree, told) => {
      linkSync(tree.at(`${home}/.ssh/id_rsa`), tree.at('hard'))
      await told('hard link')
      tree.write('later')
      await told('later')
    })
    expect(lines.filter((line) => line.startsWith('decoy'))).toEqual([
      'decoy ssh-key: a hard link to it appeared -> /hard',
    ])
  })

  it('sees what a dying victim did last', async () => {
    let last = ''
    const lines = await watching(async (tree) => {
      last = tree.write(`${home}/last`, siteToken('adv-zip-traversal', 'escape-absolute'))
      await Promise.resolve()
    })
    expect(last).toContain('last')
    expect(lines.filter((line) => line.startsWith('LANDED'))).toHaveLength(1)
  })

  it('tells reads of decoys by the victim, and none of its own', { timeout: 60_000 }, async () => {
    using live = new LiveWatch()
    const decoy = `${home}/.ssh/id_rsa`
    const lines = await watching(async (tree, told) => {
      // Changed and linked, so that the rounds read it themselves.
      appendFileSync(tree.at(decoy), 'x')
      linkSync(tree.at(decoy), tree.at('hard'))
      await told('a hard link to it appeared')
      tree.write('marker')
      await told('added file -> /marker')
      tree.write('another')
      await told('added file -> /another')
    }, live)
    expect(lines.filter((line) => line.includes('it was read'))).toEqual([])
    using again = new LiveWatch()
    await watching(async (tree, told) => {
      readFileSync(tree.at(decoy))
      await told('decoy ssh-key: it was read -> /home/agent/.ssh/id_rsa')
    }, again)
  })
})
