import { LandfallError } from '@landfall/contracts'
import { expect, it } from 'vitest'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

it('is that of what ended the command, also when the clean-up failed after it', () => {
  const first = new LandfallError('usage', 'no such host')
  const second = new LandfallError('engine', 'the engine did not come back')
  expect(exitCodeOf(first)).toBe(exitCodes.usage)
  expect(exitCodeOf(new SuppressedError(second, first))).toBe(exitCodes.usage)
  expect(exitCodeOf(new Error('a defect'))).toBe(exitCodes.voidRun)
})
