import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inconclusiveReasons } from './decision.ts'

describe('the reasons of an inconclusive trial', () => {
  it('have one line each in docs/results.md, and no line is left of one that went', () => {
    const text = readFileSync(new URL('../../../docs/results.md', import.meta.url), 'utf8')
    const section = text.split('## Inconclusive')[1]?.split('\n## ')[0] ?? ''
    const listed = [...section.matchAll(/^\| `([^`]+)`/gm)].flatMap((match) => match[1] ?? [])
    expect(listed).toEqual([...inconclusiveReasons])
  })
})
