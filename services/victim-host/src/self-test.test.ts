import { describe, expect, it } from 'vitest'
import { notReached, rights } from './self-test.ts'

const status = `CapInh:\t0000000000000000
CapPrm:\t0000000000000000
CapEff:\t0000000000000000
CapBnd:\t0000000000000000
CapAmb:\t0000000000000000
NoNewPrivs:\t1
Seccomp:\t2
`
const failed = (text: string) => rights(text).flatMap(({ probe, passed }) => (passed ? [] : [probe]))

describe('rights', () => {
  it('passes a victim without any', () => {
    expect(failed(status)).toEqual([])
  })

  it.each([
    ['CapBnd of the victim', status.replace('CapBnd:\t0000000000000000', 'CapBnd:\t00000000a80425fb')],
    ['CapEff of the victim', status.replace('CapEff:\t0000000000000000', 'CapEff:\t0000000000080000')],
    ['NoNewPrivs of the victim', status.replace('NoNewPrivs:\t1', 'NoNewPrivs:\t0')],
    ['Seccomp of the victim', status.replace('Seccomp:\t2\n', '')],
  ])('fails %s', (probe, text) => {
    expect(failed(text)).toEqual([probe])
  })
})

describe('notReached', () => {
  const target = { what: 'a port', host: 'h', port: 1, mayRefuse: false }
  it.each([
    ['ENETUNREACH', false, true],
    ['ETIMEDOUT', false, true],
    ['ECONNREFUSED', false, false],
    ['ECONNREFUSED', true, true],
    ['open', true, false],
    ['ENOTFOUND', true, false],
  ])('%s, may refuse %s: %s', (answer, mayRefuse, passed) => {
    expect(notReached({ ...target, mayRefuse }, answer).passed).toBe(passed)
  })
})
