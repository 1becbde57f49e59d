import { installExit } from '@landfall/contracts/install-exit'
import { describe, expect, it } from 'vitest'
import { exitOf, exitOfAll, exitOfConnect } from './exit-code.ts'

describe('exitOf', () => {
  it.each([
    [{ exitCode: 0, signal: null, timedOut: false }, installExit.accepted],
    [{ exitCode: 1, signal: null, timedOut: false }, installExit.refused],
    [{ exitCode: 255, signal: null, timedOut: false }, installExit.refused],
    [{ exitCode: 126, signal: null, timedOut: false }, installExit.hostMissing],
    [{ exitCode: 127, signal: null, timedOut: false }, installExit.hostMissing],
    [{ exitCode: null, signal: 'SIGSEGV', timedOut: false }, installExit.killed],
    [{ exitCode: null, signal: 'SIGKILL', timedOut: true }, installExit.timeout],
    [{ exitCode: 0, signal: null, timedOut: true }, installExit.timeout],
  ])('%j is %i', (step, code) => {
    expect(exitOf(step)).toBe(code)
  })
})

describe('exitOfAll', () => {
  const { accepted, refused, killed, timeout, hostMissing } = installExit

  it.each([
    [[accepted, accepted], accepted],
    [[accepted, refused, accepted], refused],
    [[refused, killed], killed],
    [[refused, timeout], timeout],
    [[accepted, hostMissing], hostMissing],
  ])('%j together are %i', (codes, code) => {
    expect(exitOfAll(codes)).toBe(code)
  })
})

describe('exitOfConnect', () => {
  it.each([
    [0, installExit.accepted],
    [3, installExit.refused],
    [1, installExit.refused],
    [4, installExit.fetchFailed],
    [64, installExit.crashed],
    [70, installExit.crashed],
    [127, installExit.hostMissing],
  ])('takes exit code %s of a host that connects itself', (exitCode, expected) => {
    expect(exitOfConnect({ exitCode, signal: null, timedOut: false })).toBe(expected)
  })

  it('is a time-out first', () => {
    expect(exitOfConnect({ exitCode: 4, signal: null, timedOut: true })).toBe(installExit.timeout)
  })
})
