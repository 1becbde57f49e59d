import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostProfile, InstallReport } from '@landfall/contracts'
import { installExit } from '@landfall/contracts/install-exit'
import { describe, expect, it } from 'vitest'
import { fetchWithHost } from './fetch-with-host.ts'

/** Gives addresses to a host that is a shell script. */
async function fetchWith(script: string, sources: unknown, channel = 'git') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'fetch-'))
  const home = folder.path
  const layout = { home, skills: `${home}/.agents/skills`, inbox: `${home}/inbox`, workspace: `${home}/workspace` }
  await mkdir(layout.workspace)
  const profile = HostProfile.parse({
    id: 'script',
    title: 'A script',
    kind: 'installer',
    channels: ['git'],
    version: ['true'],
    fetch: [{ channel: 'git', run: ['sh', '-c', script, 'script', '{url}', '{skill}'], timeoutSeconds: 10 }],
  })
  const silent = () => undefined
  const tell = { fetched: silent, running: silent, ran: silent, failed: silent }
  const report: InstallReport = { host: 'script', version: '1', dest: [], deliveries: [], steps: [] }
  const code = await fetchWithHost({ profile, layout, tell, user: 'agent' }, report, channel, JSON.stringify(sources))
  return { code, output: report.steps.map(({ output }) => output), report: InstallReport.parse(report) }
}

const sources = ['one', 'two'].map((skill) => ({ skill, url: `http://lab/${skill}.git` }))

describe('fetchWithHost', () => {
  it('gives the host one address after the other', async () => {
    const { code, output } = await fetchWith('echo "$2 from $1"', sources)
    expect(code).toBe(installExit.accepted)
    expect(output).toEqual(['one from http://lab/one.git\n', 'two from http://lab/two.git\n'])
  })

  it('goes on after a refusal, and ends as refused', async () => {
    const { code, output } = await fetchWith('echo "$2"; [ "$2" = two ]', sources)
    expect(code).toBe(installExit.refused)
    expect(output).toEqual(['one\n', 'two\n'])
  })

  it('installs nothing over a channel that the profile has no step for', async () => {
    expect((await fetchWith('true', sources, 'clawhub')).code).toBe(installExit.nothingToInstall)
  })

  it.each([
    ['no list', {}],
    ['an item without an address', [{ skill: 'one' }]],
    ['nothing', null],
  ])('takes %s for a mistake', async (_what, wrong) => {
    await expect(fetchWith('true', wrong)).rejects.toMatchObject({ code: 'usage' })
  })
})
