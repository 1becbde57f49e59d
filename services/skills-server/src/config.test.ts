import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

describe('readConfig', () => {
  it('binds to the loopback, has no control port and serves nothing hostile unless told otherwise', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3940,
      controlHost: '127.0.0.1',
      allowedHosts: [],
      checkHosts: true,
      profile: 'corpus',
      revisions: ['index', 'stable'],
      rateLimit: 6_000,
      trustedProxies: 0,
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

  it('takes the flag itself as the name of a profile, as deployments hand it down', () => {
    expect(readConfig({ SERVE_PROFILE: '--adversarial' }).profile).toBe('adversarial')
  })

  it('lets the command line win over the environment', () => {
    const config = readConfig({ SERVE_PROFILE: 'all' }, { profile: 'corpus', revision: 'stable', fixture: ['a'] })
    expect(config).toMatchObject({ profile: 'corpus', revisions: ['stable'], only: ['a'] })
  })

  it('takes what a deployment may need', () => {
    const config = readConfig({
      MCP_DISABLE_DNS_REBINDING_PROTECTION: '1',
      SKILLS_ROOT: '/skills',
      CONTROL_PORT: '3950',
      RATE_LIMIT: '0',
      TRUSTED_PROXIES: '1',
    })
    expect(config).toMatchObject({
      checkHosts: false,
      skillsRoot: '/skills',
      controlPort: 3950,
      rateLimit: 0,
      trustedProxies: 1,
    })
  })

  it.each([
    { PORT: 'many' },
    { PORT: '70000' },
    { CONTROL_PORT: '-1' },
    { LOG_LEVEL: 'loud' },
    { SERVE_PROFILE: 'hostile' },
    { RATE_LIMIT: 'none' },
    { MCP_DISABLE_DNS_REBINDING_PROTECTION: 'perhaps' },
  ])('refuses %o by name', (env) => {
    expect(() => readConfig(env)).toThrow(Object.keys(env)[0])
  })
})
