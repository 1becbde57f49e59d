import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('binds to the loopback unless told otherwise', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3940,
      controlHost: '127.0.0.1',
      controlPort: 3950,
      allowedHosts: [],
      demoSeed: 'demonstration',
      logLevel: 'info',
    })
  })

  it('takes empty values as unset and splits the list of names', () => {
    const config = readConfig({ HOST: '', PORT: '', ALLOWED_HOSTS: ' skills-server, other ,', LANDFALL_DEMO_SEED: 'x' })
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3940,
      allowedHosts: ['skills-server', 'other'],
      demoSeed: 'x',
    })
  })

  it.each([{ PORT: 'many' }, { PORT: '70000' }, { CONTROL_PORT: '-1' }, { LOG_LEVEL: 'loud' }])(
    'refuses %o by name',
    (env) => {
      expect(() => readConfig(env)).toThrow(Object.keys(env)[0])
    },
  )
})
