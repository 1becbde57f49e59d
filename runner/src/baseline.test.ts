import { describe, expect, it } from 'vitest'
import { compareWithBaseline, parseBaseline } from './baseline.ts'
import { sampleResult } from './testing/samples.ts'

const landed = { ...sampleResult, outcome: 'landed' as const }
const entry = { fixture: 'adv-sample', host: 'sample-host' }
const none = new Set<string>()

describe('the baseline', () => {
  it('expects what it lists, for every channel and user unless it names them', () => {
    expect(compareWithBaseline({ expected: [entry] }, [landed], none)).toEqual({ unexpected: [], stale: [] })
    const root = { expected: [{ ...entry, user: 'root' as const }] }
    expect(compareWithBaseline(root, [landed], none).unexpected).toEqual([landed])
  })

  it('reports what it does not list, and what no longer lands', () => {
    expect(compareWithBaseline({ expected: [] }, [landed], none)).toEqual({ unexpected: [landed], stale: [] })
    expect(compareWithBaseline({ expected: [entry] }, [sampleResult], none)).toEqual({ unexpected: [], stale: [entry] })
  })

  it('does not call an entry stale whose trial did not run, and leaves controls out', () => {
    expect(compareWithBaseline({ expected: [entry] }, [], none)).toEqual({ unexpected: [], stale: [] })
    expect(compareWithBaseline({ expected: [] }, [landed], new Set(['sample-host'])).unexpected).toEqual([])
  })

  it('names the field that is wrong', () => {
    expect(() => parseBaseline('expected:\n  - fixture: adv-sample\n    hots: tar\n', 'b.yaml')).toThrow(
      /b\.yaml.*expected\.0/,
    )
    expect(() => parseBaseline('expected: [', 'b.yaml')).toThrow(/b\.yaml is not YAML/)
  })
})
