import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allRules } from '../../src/reference/all-rules.ts'
import { findRules } from '../../src/reference/rule.ts'
import type { SkillsServer } from '../skills-server.ts'
import { startSkillsServer } from '../skills-server.ts'
import { cells } from './sweep.ts'
import { tryOnce } from './try-once.ts'

/**
 * Every fixture against the full reference host, and against one mutant of it that must let it land: the smallest
 * set of rules that `npm run mutants` has found for it. The whole sweep tries every rule and takes minutes.
 */
const Expected = z.array(
  z.object({ fixture: z.string(), revision: z.enum(['index', 'stable']), without: z.array(z.string()).min(1) }),
)
const expected = Expected.parse(JSON.parse(await readFile(new URL('expected.json', import.meta.url), 'utf8')))

let server: SkillsServer
beforeAll(async () => {
  server = await startSkillsServer()
}, 60_000)
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

describe('the reference host', () => {
  it('has a known mutant for every fixture in every revision', () => {
    const hostile = cells.filter(({ fixture }) => fixture.action !== 'accept')
    const name = ({ fixture, revision }: { fixture: string; revision: string }) => `${fixture} ${revision}`
    expect(expected.map(name).toSorted()).toEqual(
      hostile.map(({ fixture, revision }) => name({ fixture: fixture.id, revision })).toSorted(),
    )
  })

  it.each(cells.filter(({ fixture }) => fixture.action === 'accept'))(
    'installs the honest skill in the $revision revision',
    async (cell) => {
      const { harm, visited } = await tryOnce(server, cell, [])
      expect(harm).toEqual([])
      expect(visited.skills.map(({ outcome }) => outcome)).toEqual(['used'])
    },
    120_000,
  )

  it.each(expected)(
    'lets nothing of $fixture ($revision) land; without $without it does',
    async ({ fixture, revision, without }) => {
      const cell = cells.find((known) => known.fixture.id === fixture && known.revision === revision)
      if (cell === undefined) throw new Error(`no cell ${fixture} ${revision}`)
      expect((await tryOnce(server, cell, [])).harm).toEqual([])
      expect((await tryOnce(server, cell, findRules(allRules, without))).harm).not.toEqual([])
    },
    300_000,
  )
})
