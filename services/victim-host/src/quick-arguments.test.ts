import { describe, expect, it } from 'vitest'
import { quickInstall } from './quick-arguments.ts'

const url = 'http://skills-server:3940/t/x/mcp'

describe('quickInstall', () => {
  it('recognises the call of the runner', () => {
    const argv = ['install', '--profile', '{}', '--url', url, '--format', 'zip', '--go', 'stdin', '--json']
    expect(quickInstall(argv)).toEqual({ profile: '{}', url, format: 'zip', json: true })
    expect(quickInstall(['install', '--url', url, '--go', 'stdin', '--profile', '{}', '--json'])).toEqual({
      profile: '{}',
      url,
      json: true,
    })
    const told = ['--profile', '{}', '--host-version', 'my-tar 1', '--url', url, '--go', 'stdin']
    expect(quickInstall(['install', ...told, '--json'])).toMatchObject({ hostVersion: 'my-tar 1' })
    const use = '{"skills":["demo"]}'
    expect(quickInstall(['install', '--profile', '{}', '--url', url, '--use', use, '--go', 'stdin', '--json'])).toEqual(
      {
        profile: '{}',
        url,
        use,
        json: true,
      },
    )
  })

  it.each([
    ['nothing', []],
    ['another command', ['list', '--json']],
    ['a person who wants to read', ['install', '--profile', '{}', '--url', url]],
    ['a fixture', ['install', 'adv-zip-traversal', '--profile', '{}', '--url', url, '--json']],
    ['no profile', ['install', '--url', url, '--json']],
    ['no URL', ['install', '--profile', '{}', '--json']],
    ['an unknown option', ['install', '--profile', '{}', '--url', url, '--user', 'root', '--json']],
    ['an option without a value', ['install', '--profile', '--url', url, '--json']],
    ['an option given twice', ['install', '--profile', '{}', '--profile', '{}', '--url', url, '--json']],
    ['a call that does not wait', ['install', '--profile', '{}', '--url', url, '--json']],
    ['a host of the image', ['install', '--host', 'unzip', '--url', url, '--json']],
    ['a call for help', ['install', '--help']],
  ])('leaves %s to the option parser', (_what, argv) => {
    expect(quickInstall(argv)).toBeUndefined()
  })
})
