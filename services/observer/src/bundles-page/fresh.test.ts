import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeExample } from './example.ts'
import { exampleFile, exampleText, scriptFile, scriptText } from './generate.ts'

describe('the files that are made', { timeout: 60_000 }, () => {
  it('are those that `npm run bundles-page` makes', async () => {
    expect(readFileSync(exampleFile, 'utf8')).toBe(await exampleText())
    expect(readFileSync(scriptFile, 'utf8')).toBe(await scriptText())
  })

  it('show two skills of which one script alone differs', async () => {
    const { reviewed, now } = await makeExample()
    const differing = now.files.filter(({ sha256 }, index) => sha256 !== reviewed.files[index]?.sha256)
    expect(differing.map(({ path }) => path)).toEqual(['scripts/count.sh'])
    expect(now.files.map(({ path }) => path)).toEqual(reviewed.files.map(({ path }) => path))
  })
})
