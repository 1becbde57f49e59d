import { describe, expect, it } from 'vitest'
import { unknownName } from './unknown-name.ts'

describe('unknownName', () => {
  it('names what was asked for and what was meant', () => {
    const error = unknownName('host', 'unzipp', ['tar', 'unzip', 'naive'])
    expect(error.code).toBe('usage')
    expect(error.message).toContain('no host "unzipp"')
    expect(error.message).toContain('Did you mean unzip?')
    expect(error.data).toEqual({ kind: 'host', name: 'unzipp', nearest: 'unzip' })
  })
})
