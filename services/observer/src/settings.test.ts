import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.ts'

describe('readSettings', () => {
  it('is safe without any', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 3960,
      watchManual: false,
      demoSeed: 'demonstration',
    })
  })

  it('takes names to be called by, and the one it binds, but not the wildcard', () => {
    expect(readSettings({ HOST: 'observer.control', ALLOWED_HOSTS: 'a, b,' }).allowedHosts).toEqual([
      'a',
      'b',
      'observer.control',
    ])
    expect(readSettings({ HOST: '0.0.0.0', ALLOWED_HOSTS: 'a' }).allowedHosts).toEqual(['a'])
  })

  it.each([
    [{ LANDFALL_WATCH: 'manual' }, true],
    [{ LANDFALL_WATCH: '' }, false],
    [{ LANDFALL_WATCH: 'off' }, false],
  ])('%j: %s', (env, expected) => {
    expect(readSettings(env).watchManual).toBe(expected)
  })

  it.each([
    { PORT: 'x' },
    { PORT: '70000' },
    { LANDFALL_WATCH: 'yes' },
    { HOST: '' },
    { LANDFALL_SINKHOLE_EVENTS: 'file:///etc/passwd' },
  ])('refuses %j', (env) => {
    expect(() => readSettings(env)).toThrow('The environment of the observer is not as expected')
  })
})
