import { globSync, readFileSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts/errors'
import { describe, expect, it } from 'vitest'
import { refusal, refusalOf, refusals } from './index.ts'

const folder = new URL('../', import.meta.url)
const tests = [...globSync('**/*.test.ts', { cwd: folder }), 'testing/negative-manifests.ts'].map((file) =>
  readFileSync(new URL(file, folder), 'utf8'),
)

describe('refusals', () => {
  it.each(Object.values(refusals))('%s is named by a test', (word) => {
    expect(tests.some((text) => text.includes(`'${word}'`))).toBe(true)
  })

  it('are errors of the lab, and of nobody else', () => {
    expect(refusal(refusals.link, 'A link')).toMatchObject({ code: 'invalid', data: { refusal: 'link' } })
    expect(refusalOf(refusal(refusals.link, 'A link'))).toBe('link')
    expect(refusalOf(new LandfallError('invalid', 'Other', { refusal: 'other' }))).toBeUndefined()
    expect(refusalOf(new Error('link'))).toBeUndefined()
  })
})
