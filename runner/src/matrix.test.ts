import { describe, expect, it } from 'vitest'
import { toMatrices } from './matrix.ts'
import { toInlineJson } from './matrix-html.ts'
import { renderMatrixText } from './matrix-text.ts'
import { sampleResult } from './testing/samples.ts'

const trials = [
  { ...sampleResult, outcome: 'landed' as const, verdict: 'fail' as const },
  { ...sampleResult, host: 'other', outcome: 'blocked' as const },
  { ...sampleResult, fixture: 'adv-two', host: 'other' },
]
const results = {
  $schema: 'x',
  schemaVersion: '1.0.0' as const,
  run: {
    id: 'r',
    seed: 1,
    startedAt: '',
    finishedAt: '',
    tool: '',
    engine: {},
    kernel: '',
    images: {},
    hosts: { other: { version: '1.2' } },
  },
  controls: [{ name: 'naive', passed: false, detail: 'it resisted' }],
  trials,
}

describe('the matrix', () => {
  it('has a row per fixture, a column per host, and a gap where no trial was', () => {
    const [matrix] = toMatrices(results)
    expect(matrix?.hosts).toEqual(['sample-host', 'other'])
    expect(matrix?.rows.map(({ cells }) => cells.map((cell) => cell?.outcome))).toEqual([
      ['landed', 'blocked'],
      [undefined, 'blocked'],
    ])
  })

  it('has no column for a host that takes nothing this way, unless there is nothing else to show', () => {
    const apart = { ...sampleResult, outcome: 'not-exercised' as const, verdict: 'n/a' as const, evidence: '' }
    const elsewhere = { ...apart, channel: 'git' as const }
    const shown = toMatrices({ trials: [...trials, { ...apart, host: 'third' }, elsewhere] })
    expect(shown.map(({ hosts }) => hosts)).toEqual([['sample-host', 'other']])
    expect(toMatrices({ trials: [apart, elsewhere] }).map(({ hosts }) => hosts)).toEqual([
      ['sample-host'],
      ['sample-host'],
    ])
  })

  it('is drawn within 80 columns, with signs, versions, controls and totals', () => {
    const text = renderMatrixText(results, false)
    expect(text).toMatch(/adv-sample +● ○/)
    expect(text).toMatch(/B +other +1\.2/)
    expect(text).toMatch(/FAIL control naive: it resisted/)
    expect(text).toMatch(/3 cells: 2 blocked, 1 landed\./)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })

  it('cannot be broken out of by a name: the JSON never ends its element', () => {
    const hostile = { path: '</script><img src=x onerror=alert(1)>', line: '\u2028' }
    const text = toInlineJson(hostile)
    expect(text).not.toMatch(/<|\u2028/)
    expect(JSON.parse(text)).toEqual(hostile)
  })
})
