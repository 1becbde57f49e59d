import type { Outcome } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { checkControls } from './controls.ts'
import { planRun } from './plan.ts'
import { sampleFixture, sampleHost, sampleResult } from './testing/samples.ts'

const benign = { ...sampleFixture, id: 'control-benign', action: 'accept' as const }
const hosts = [
  sampleHost,
  { ...sampleHost, id: 'naive', control: 'naive' as const },
  { ...sampleHost, id: 'inert', control: 'inert' as const },
]
const planned = planRun({ fixtures: [benign, sampleFixture], hosts, selection: { users: ['agent'] }, seed: 1 })
const isolation = { name: 'isolation', passed: true, detail: '' }

function outcomesOf(change: Record<string, Outcome | undefined> = {}) {
  const expected: Record<string, Outcome | undefined> = {
    'control-benign.sample-host': 'contained',
    'control-benign.naive': 'contained',
    'control-benign.inert': 'blocked',
    'adv-sample.sample-host': 'landed',
    'adv-sample.naive': 'landed',
    'adv-sample.inert': 'blocked',
    ...change,
  }
  const results = Object.entries(expected).flatMap(([name, outcome]) =>
    outcome === undefined ? [] : [{ ...sampleResult, id: `${name}.archive-file.agent`, outcome }],
  )
  return Object.fromEntries(checkControls(planned, results, [isolation]).map(({ name, passed }) => [name, passed]))
}

describe('checkControls', () => {
  it('passes when the naive host falls, the inert one stands and the benign skill stays', () => {
    expect(outcomesOf()).toEqual({ naive: true, inert: true, benign: true, isolation: true })
  })

  it.each<[string, Record<string, Outcome | undefined>]>([
    ['naive', { 'adv-sample.naive': 'contained' }],
    ['naive', { 'adv-sample.naive': 'inconclusive' }],
    ['naive', { 'adv-sample.naive': undefined }],
    ['inert', { 'adv-sample.inert': 'landed' }],
    ['inert', { 'adv-sample.inert': 'contained' }],
    ['inert', { 'control-benign.inert': 'inconclusive' }],
    ['benign', { 'control-benign.sample-host': 'landed' }],
    ['benign', { 'control-benign.sample-host': 'blocked' }],
    ['benign', { 'control-benign.naive': undefined }],
  ])('%s fails for %o and it alone', (name, change) => {
    const expected = { naive: true, inert: true, benign: true, isolation: true, [name]: false }
    expect(outcomesOf(change)).toEqual(expected)
  })

  it('fails a control that had nothing to be checked on', () => {
    expect(checkControls([], [], [isolation]).map(({ passed }) => passed)).toEqual([false, false, false, true])
  })
})
