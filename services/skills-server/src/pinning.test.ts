import { refusalOf } from '@landfall/bundle/core'
import { describe, expect, it } from 'vitest'
import { Catalogue } from './catalogue/catalogue.ts'
import { loadSkill } from './catalogue/load-skill.ts'
import type { ServedSkill } from './catalogue/served.ts'
import type { Builders } from './fixtures/index.ts'
import { loadBuilders } from './fixtures/index.ts'

/** What somebody who pins bundles notices of our fixtures: the digest of a first opening against that of a second. */
const canary = 'ab'.repeat(32)

type Finding = 'same' | 'differs' | 'no files' | 'refused'

async function findingOf(
  id: string,
  builders: Builders,
): Promise<{ finding: Finding; skills: readonly ServedSkill[] }> {
  const build = builders.get(id)
  const catalogue = new Catalogue(new Map(build === undefined ? [] : [[id, build]]), canary)
  const { skills } = await catalogue.unpacked()
  const skill = skills.find(({ files }) => files.some(({ path }) => path === 'SKILL.md'))
  if (skill === undefined) return { finding: 'no files', skills }
  const open = async () => (await loadSkill(catalogue, skill.path, true)).bundle?.sha256
  try {
    return { finding: (await open()) === (await open()) ? 'same' : 'differs', skills }
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    return { finding: 'refused', skills }
  }
}

const rotates = (skills: readonly ServedSkill[]) =>
  skills.some(({ files }) =>
    files.some(({ lie }) => lie?.reads?.some((bytes) => !bytes.equals(lie.reads?.[0] ?? bytes)) ?? false),
  )

describe('bundle pinning', { timeout: 60_000 }, () => {
  it('notices every fixture whose files change between two readings, and no other', async () => {
    const builders = await loadBuilders()
    const noticed: string[] = []
    const rotating: string[] = []
    for (const id of builders.keys()) {
      const { finding, skills } = await findingOf(id, builders)
      if (finding === 'differs') noticed.push(id)
      if (finding !== 'refused' && rotates(skills)) rotating.push(id)
    }
    expect(noticed).toEqual(rotating)
  })

  it.each([
    ['adv-content-rotation', 'differs'],
    ['adv-dynamic-persisted-approval', 'differs'],
    ['adv-supporting-file-digest-swap', 'same'],
    ['adv-live-read-divergence', 'same'],
    ['adv-frontmatter-mismatch', 'same'],
    ['adv-oversized-payload', 'refused'],
    ['adv-limit-files', 'refused'],
    ['adv-archive-traversal', 'no files'],
  ])('%s: %s', async (id, finding) => {
    expect((await findingOf(id, await loadBuilders())).finding).toBe(finding)
  })
})
