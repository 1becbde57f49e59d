import { describe, expect, it } from 'vitest'
import { LandfallError } from './errors.ts'
import { parseHostProfile } from './host-profile-file.ts'

const good = `id: some-tar
title: Some tar
kind: extractor
channels: [archive-file]
version: [tar, --version]
install:
  - format: tar.gz
    run: [tar, -xzf, '{archive}', -C, '{dest}']
`

function refusal(text: string): LandfallError {
  try {
    parseHostProfile(text, 'hosts/some-tar.yaml')
  } catch (error) {
    if (error instanceof LandfallError) return error
    throw error
  }
  throw new Error('it was accepted')
}

describe('parseHostProfile', () => {
  it('fills in the defaults', () => {
    const profile = parseHostProfile(good, 'x')
    expect(profile.install[0]?.timeoutSeconds).toBe(60)
    expect(profile.env).toEqual({})
  })

  it.each([
    ['text that is no YAML', good.replace('[tar, --version]', '[tar, --version'), 6, /hosts\/some-tar\.yaml:6:1: /],
    ['a value of the wrong kind', good.replace('kind: extractor', 'kind: unpacker'), 3, /:3:1: kind: /],
    ['a missing key', good.replace('title: Some tar\n', ''), 1, /:1:1: title: /],
    ['a key that nobody knows', `${good}colour: red\n`, 9, /:9:1: colour: unknown key/],
    ['an unknown key deep inside', `${good}    shell: bash\n`, 9, /:9:5: install\.0\.shell: unknown key/],
    [
      'a wrong item of a list',
      good.replace('[archive-file]', '[archive-file, carrier-pigeon]'),
      4,
      /:4:26: channels\.1: /,
    ],
    [
      'a misspelt placeholder',
      good.replace('{dest}', '{dst}'),
      8,
      /:8:39: install\.0\.run\.4: unknown placeholder \{dst\}/,
    ],
    [
      'two commands for one format',
      `${good}  - format: tar.gz\n    run: [tar]\n`,
      9,
      /:9:5: install\.1\.format: format tar\.gz has a command already/,
    ],
    [
      'a placeholder that this command cannot have',
      `${good}run: { run: [tar, '{archive}'] }\n`,
      9,
      /:9:19: run\.run\.1: unknown placeholder \{archive\}, known here are \{dest\}/,
    ],
    [
      'a channel of MCP without a way to connect',
      good.replace('[archive-file]', '[archive-file, mcp-index]'),
      4,
      /:4:26: channels\.1: channel mcp-index needs a `connect` step/,
    ],
    [
      'a channel of files without a way to install',
      good.slice(0, good.indexOf('install:')),
      4,
      /:4:12: channels\.0: channel archive-file needs an `install` step/,
    ],
    [
      'a channel that a host fetches over by itself without a way to',
      good.replace('[archive-file]', '[archive-file, git]'),
      4,
      /:4:26: channels\.1: channel git needs a `fetch` step/,
    ],
    [
      'a fetch over a channel of files',
      `${good}fetch: [{ channel: archive-file, run: [x, '{url}'] }]\n`,
      9,
      /:9:11: fetch\.0\.channel: /,
    ],
    [
      'a place outside of the home',
      `${good}places: ['/opt/{skill}']\n`,
      9,
      /:9:10: places\.0: expected a path below \{home\}\/ with \{skill\}/,
    ],
    [
      'a version of a package that is a range',
      `${good}needs: { npm: { tar: ^7.0.0 } }\n`,
      9,
      /:9:17: needs\.npm\.tar: /,
    ],
    ['a package whose name is more than a name', `${good}needs: { apt: ['tar; x'] }\n`, 9, /:9:16: needs\.apt\.0: /],
    ['a key given twice', `${good}title: Another\n`, 9, /:9:1: /],
  ])('refuses %s and says where', (_what, text, line, message) => {
    const error = refusal(text)
    expect(error.code).toBe('invalid')
    expect(error.message).toMatch(message)
    expect(error.data).toMatchObject({ file: 'hosts/some-tar.yaml', line })
  })

  it('takes the optional steps, the needs and the limits', () => {
    const more = `connect: { run: [x, '{url}', '{revision}'] }
update: { run: [x, '{archive}'], timeoutSeconds: 5 }
run: { run: [x, '{dest}'] }
uninstall: { run: [x, '{skill}'] }
needs: { apt: [tar], npm: { old-tar: 'npm:tar@6.2.1', '@scope/name': 1.0.0-rc.1 } }
limits: { memoryMiB: 256 }
`
    expect(parseHostProfile(`${good}${more}`, 'x')).toMatchObject({
      connect: { timeoutSeconds: 60 },
      update: { timeoutSeconds: 5 },
      needs: { apt: ['tar'], npm: { 'old-tar': 'npm:tar@6.2.1', '@scope/name': '1.0.0-rc.1' } },
      limits: { memoryMiB: 256 },
    })
  })

  it('names every mistake, each on a line of its own', () => {
    const { message } = refusal(good.replace('{archive}', '{file}').replace('{dest}', '{dst}'))
    expect(message.split('\n')).toHaveLength(2)
    expect(message).toContain('{file}')
    expect(message).toContain('{dst}')
  })

  it('leaves variables of a shell alone', () => {
    const shell = good.replace(`'{dest}'`, `'\${dst}'`)
    expect(parseHostProfile(shell, 'x').install[0]?.run.at(-1)).toBe('${dst}')
  })

  it('refuses an empty file', () => {
    expect(refusal('').message).toMatch(/:1:1: /)
  })
})
