import { findFixture, fixtureTokens } from '@landfall/catalog'
import { defaultDemoSeed, deriveCanary, installExit, manualTrial, victimLayout } from '@landfall/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SkillsServer } from '../testing/skills-server.ts'
import { startSkillsServer } from '../testing/skills-server.ts'
import { buildVictim, Victim } from '../testing/victim.ts'

/**
 * What is known of these extractors from elsewhere, checked by hand as a user would: the real server, the
 * static endpoint, one victim each. If one of these moves, the lab is wrong, or the tool has changed.
 */
let server: SkillsServer

beforeAll(async () => {
  await buildVictim()
  server = await startSkillsServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const { home, skills } = victimLayout('agent')
const canary = deriveCanary(defaultDemoSeed, manualTrial)

/** Sites of the fixture whose token is in a file outside the skill's own directory, and links that lead to the decoy key. */
async function install(
  fixture: string,
  host: string,
): Promise<{ outside: string[]; links: string[]; exitCode: number }> {
  await using victim = await Victim.start('agent')
  const { exitCode } = await victim.install(fixture, '--host', host, '--url', server.url)
  // A host that never ran resisted nothing.
  expect([installExit.accepted, installExit.refused]).toContain(exitCode)
  const row = findFixture(fixture)
  if (row === undefined) throw new Error(`no fixture ${fixture}`)
  const found = await victim.sh(
    `grep -rlE 'LFC-[0-9a-f]{32}' ${home} /tmp | grep -v -e ^${skills}/${fixture}/ -e ^${home}/.landfall/ | xargs -r grep -ohE 'LFC-[0-9a-f]{32}'`,
  )
  const seen = new Set(found.trim().split('\n'))
  const links = await victim.sh(
    // Some tools move an absolute target into the destination, where it leads nowhere.
    `find ${skills} -lname '/*id_rsa' ! -lname '${skills}/*' -o -lname '../*id_rsa' -o -samefile ${home}/.ssh/id_rsa | sort`,
  )
  return {
    outside: fixtureTokens(row, canary).flatMap(({ token, site }) => (seen.has(token) ? [site] : [])),
    links: links.split('\n').flatMap((path) => (path === '' ? [] : [path.replace(`${skills}/${fixture}/`, '')])),
    exitCode,
  }
}

const relativeClimbs = ['escape-relative-1', 'escape-relative-2', 'escape-relative-3']
const climbs = [...relativeClimbs, 'escape-absolute']
const keys = ['examples/id_rsa.example', 'key-agent.example', 'key-root.example']

describe('the anchors', () => {
  it.each([
    ['python tarfile without a filter', 'adv-archive-traversal', 'python-tarfile', climbs, []],
    [
      'python tarfile without a filter',
      'adv-archive-symlink-escape',
      'python-tarfile',
      ['write-through-name', 'write-through-directory'],
      keys,
    ],
    ['python tarfile with data', 'adv-archive-traversal', 'python-tarfile-data', [], []],
    ['python tarfile with data', 'adv-archive-symlink-escape', 'python-tarfile-data', [], []],
    ['7z', 'adv-zip-traversal', '7z', [], []],
    ['GNU tar', 'adv-archive-traversal', 'gnu-tar', [], []],
    ['GNU tar', 'adv-archive-symlink-escape', 'gnu-tar', [], keys],
    ['extract-zip', 'adv-zip-symlink-escape', 'extract-zip', ['write-through-name'], keys],
    ['GNU tar -P', 'adv-archive-traversal', 'gnu-tar-absolute', climbs, []],
    ['node-tar of today', 'adv-archive-symlink-escape', 'node-tar', [], []],
    ['node-tar 7.5.2, which creates links', 'adv-archive-symlink-escape', 'node-tar-7-5-2', [], keys],
    ['node-tar 6.2.1, which does too', 'adv-archive-symlink-escape', 'node-tar-6-2-1', [], keys],
    ['node-tar strict', 'adv-archive-traversal', 'node-tar-strict', [], []],
    ['modern-tar', 'adv-archive-traversal', 'modern-tar', [], []],
    ['modern-tar', 'adv-archive-symlink-escape', 'modern-tar', [], []],
    ['tar-stream with a careless loop', 'adv-archive-traversal', 'tar-stream', relativeClimbs, []],
    ['tar-fs', 'adv-archive-traversal', 'tar-fs', [], []],
    ['7z', 'adv-zip-symlink-escape', '7z', [], []],
    ['zip-lib in its safe mode', 'adv-zip-symlink-escape', 'zip-lib-safe', [], []],
    ['zip-lib', 'adv-zip-traversal', 'zip-lib', [], []],
    ['yauzl with a careless loop', 'adv-zip-traversal', 'yauzl', [], []],
    ['yauzl without its check of names', 'adv-zip-traversal', 'yauzl-raw', relativeClimbs, []],
    ['fflate with a careless loop', 'adv-zip-traversal', 'fflate', relativeClimbs, []],
    ['Info-ZIP unzip -:', 'adv-zip-traversal', 'unzip-climbing', relativeClimbs, []],
    ['Info-ZIP unzip', 'adv-zip-traversal', 'unzip', [], []],
    ['adm-zip', 'adv-zip-traversal', 'adm-zip', [], []],
    ['shutil', 'adv-archive-traversal', 'python-shutil', climbs, []],
    ['Archive::Tar', 'adv-archive-symlink-escape', 'perl-archive-tar', [], []],
    ['naive', 'adv-archive-windows-paths', 'naive', ['escape-backslash', 'escape-drive', 'escape-share'], []],
    ['inert', 'adv-archive-traversal', 'inert', [], []],
  ])('%s: %s', async (_title, fixture, host, outside, links) => {
    expect(await install(fixture, host)).toMatchObject({ outside, links })
  })
})
