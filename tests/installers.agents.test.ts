import { describe, expect, it } from 'vitest'
import { Workplace } from './support/landfall.ts'

const hosts = ['skills-cli', 'openskills', 'clawhub', 'gemini-cli', 'opencode', 'codex', 'mcp-inspector']

/** What each was seen to do by hand (docs/hosts.md): the outcome, and of a landing its first site. */
const expected: Readonly<Record<string, string>> = {
  'control-benign.skills-cli.archive-url.agent': 'contained',
  'control-benign.skills-cli.well-known.agent': 'contained',
  'control-benign.skills-cli.git.agent': 'contained',
  'control-benign.openskills.git.agent': 'contained',
  'control-benign.clawhub.clawhub.agent': 'contained',
  'adv-host-configuration.skills-cli.archive-url.agent': 'landed: settings',
  'adv-host-configuration.skills-cli.well-known.agent': 'landed: settings',
  'adv-host-configuration.skills-cli.git.agent': 'blocked',
  'adv-host-configuration.openskills.git.agent': 'blocked',
  'adv-host-configuration.clawhub.clawhub.agent': 'landed: settings',
  'adv-archive-symlink-escape.skills-cli.archive-url.agent': 'contained',
  'adv-archive-symlink-escape.skills-cli.well-known.agent': 'blocked',
  'adv-archive-symlink-escape.skills-cli.git.agent': 'landed: decoy-ssh-key-copied',
  'adv-archive-symlink-escape.openskills.git.agent': 'landed: link',
  'adv-zip-half-install.clawhub.clawhub.agent': 'blocked',
  'adv-host-configuration.gemini-cli.git.agent': 'blocked',
  'adv-host-configuration.codex.marketplace.agent': 'blocked',
  'adv-host-configuration.opencode.well-known.agent': 'landed: settings',
  'adv-archive-symlink-escape.gemini-cli.git.agent': 'landed: link',
  'adv-archive-symlink-escape.codex.marketplace.agent': 'landed: link',
  'adv-manifest-size-mismatch.mcp-inspector.mcp-stable.agent': 'blocked',
  'adv-prefetch-detector.mcp-inspector.mcp-stable.agent': 'landed: prefetched',
}

describe('the real installers', () => {
  it('land and block what they were seen to, over every channel', async () => {
    await using place = await Workplace.create()
    const fixtures = [
      'adv-archive-symlink-escape',
      'adv-host-configuration',
      'adv-zip-half-install',
      'adv-manifest-size-mismatch',
      'adv-prefetch-detector',
    ]
    const chosen = ['--hosts', hosts.join(','), '--fixtures', fixtures.join(','), '--user', 'agent']
    const channels = ['archive-file', 'archive-url', 'well-known', 'git', 'clawhub', 'marketplace', 'mcp-stable']
    const { exitCode, stderr } = await place.run([...chosen, '--channel', channels.join(',')])
    expect(stderr).not.toMatch(/^landfall:/m)
    expect(exitCode).toBe(0)
    const { trials, run } = await place.readResults()
    const told = trials.map(({ id, outcome, sites }): [string, string] => {
      const harm = sites.find(({ harmful }) => harmful)
      return [id, harm === undefined ? outcome : `${outcome}: ${harm.site}`]
    })
    expect(Object.fromEntries(told)).toMatchObject(expected)
    expect(trials.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
    for (const host of hosts) expect(run.hosts[host]?.version).toMatch(/\d+\.\d+\.\d+/)
  })
})
