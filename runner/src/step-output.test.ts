import type { UseReport } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitOutput } from './step-output.ts'

const report: UseReport = { step: 'use', skills: [{ skill: 'demo', loaded: true, read: [], steps: [], leftOut: 0 }] }
const line = JSON.stringify(report)

describe('splitOutput', () => {
  it('finds the report of the agent behind that of the installation', () => {
    expect(splitOutput(`{"host":"x"}\n${line}\n`)).toEqual({ install: '{"host":"x"}\n', use: report })
  })

  it.each([
    ['no use', '{"host":"x"}\n'],
    ['a report that was cut off', `{"host":"x"}\n${line.slice(0, -9)}`],
    ['one of another shape', '{"host":"x"}\n{"step":"use","skills":7}\n'],
    ['nothing', ''],
  ])('leaves %s alone', (_what, text) => {
    expect(splitOutput(text)).toEqual({ install: text })
  })

  it('never throws, and loses nothing of the installation', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(splitOutput(`${text}\n${line}`).use).toEqual(report)
        expect(splitOutput(`${text}\n${line}`).install).toBe(text)
      }),
    )
  })
})
