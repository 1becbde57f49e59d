import { describe, expect, it } from 'vitest'
import { quickInstall } from './quick-arguments.ts'

const url = 'http://skills-server:3940/t/x/mcp'

describe('quickInstall', () => {
  it('recognises the call of the runner', () => {
    const argv = ['install', '--host', 'unzip', '--url', url, '--format', 'zip', '--json']
    expect(quickInstall(argv)).toEqual({ host: 'unzip', url, format: 'zip', json: true })
    expect(quickInstall(['install', '--url', url, '--host', 'inert', '--json'])).toEqual({
      host: 'inert',
      url,
      json: true,
    })
  })

  it.each([
    ['nothing', []],
    ['another command', ['list', '--json']],
    ['a person who wants to read', ['install', '--host', 'unzip', '--url', url]],
    ['a fixture', ['install', 'adv-zip-traversal', '--host', 'unzip', '--url', url, '--json']],
    ['no host', ['install', '--url', url, '--json']],
    ['no URL', ['install', '--host', 'unzip', '--json']],
    ['an unknown option', ['install', '--host', 'unzip', '--url', url, '--user', 'root', '--json']],
    ['an option without a value', ['install', '--host', '--url', url, '--json']],
    ['an option given twice', ['install', '--host', 'a', '--host', 'b', '--url', url, '--json']],
    ['a call for help', ['install', '--help']],
  ])('leaves %s to the option parser', (_what, argv) => {
    expect(quickInstall(argv)).toBeUndefined()
  })
})
