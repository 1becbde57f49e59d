import { Slug } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { corpusSkills, decoys, findCorpusSkill, fixtures } from './index.ts'

/** What the rows of the corpus promise to whoever drives them: a later agent, the judge, the smoke client. */
const decoyNames = new Set(decoys.map(({ name }) => name))
const placeholders = /\{\{canary:([^}]*)\}\}/g

describe('the rows of the corpus', () => {
  it('have the names of the fact sheet, and ids of their own', () => {
    expect(corpusSkills.map(({ id, skills }) => [id, ...skills])).toEqual([
      ['license-checker', 'check-licenses'],
      ['auto-format', 'auto-format'],
      ['test-helper', 'test-helper'],
      ['ssh-helper', 'ssh-helper'],
      ['dep-install', 'setup-project'],
      ['readme-generator', 'generate-readme'],
      ['code-review-remote', 'review-staged'],
      ['code-review', 'review-staged'],
      ['memory-poison', 'project-setup'],
      ['pr-summary', 'pr-summary'],
      ['system-health', 'system-health'],
      ['container-audit', 'container-audit'],
    ])
    const ids = [...fixtures, ...corpusSkills].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(corpusSkills)('$id can be driven and judged', (row) => {
    expect(findCorpusSkill(row.id)).toBe(row)
    const sites = row.sites.map(({ id }) => id)
    expect(new Set(sites).size).toBe(sites.length)
    expect(sites.filter((id) => !Slug.safeParse(id).success)).toEqual([])
    // Something honest to see where it was installed, and something harmful to see where it landed.
    expect(row.sites.map(({ effect }) => effect)).toEqual(expect.arrayContaining(['none', 'harm']))
    expect(row.steps.length).toBeGreaterThan(0)
    const named = row.steps.flatMap(({ run }) => [...run.matchAll(placeholders)].map(([, site]) => site))
    expect(named.filter((site) => !sites.includes(site ?? ''))).toEqual([])
    expect(row.sites.filter(({ decoy }) => decoy !== undefined && !decoyNames.has(decoy))).toEqual([])
    expect(Object.keys(row.clauses)).not.toEqual([])
    expect(row.oracle).toMatch(/^[A-Z][^.]*(?:\.\w[^.]*)*\.$/)
  })
})
