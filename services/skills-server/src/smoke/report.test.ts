import { describe, expect, it } from 'vitest'
import { Report } from './report.ts'

async function lineOf(problems: readonly string[]): Promise<string> {
  const lines: string[] = []
  await new Report((line) => void lines.push(line)).check('here', 'what', () =>
    Promise.resolve({ detail: 'fine', problems }),
  )
  return lines.join('\n')
}

describe('Report', () => {
  it('says what was looked at, or the first thing that is wrong', async () => {
    expect(await lineOf([])).toMatch(/^PASS +here +what +fine$/)
    expect(await lineOf(['one'])).toMatch(/^FAIL +here +what +one$/)
    expect(await lineOf(['one', 'two', 'three'])).toMatch(/one \(and 2 more\)$/)
  })

  it('counts a check that throws as failed', async () => {
    const lines: string[] = []
    const report = new Report((line) => void lines.push(line))
    await report.check('here', 'what', () => Promise.reject(new Error('no')))
    expect([report.total, report.failed, lines.length]).toEqual([1, 1, 1])
  })

  it('lets no server write to the terminal of whoever runs it', async () => {
    expect(await lineOf(['a\n\u001b[2JPASS\u202e'])).toMatch(/^FAIL +here +what +a\?\?\[2JPASS\?$/)
  })
})
