import { mkdir, mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostProfile, InstallReport, parseAs } from '@landfall/contracts'
import { installExit } from '@landfall/contracts/install-exit'
import { describe, expect, it } from 'vitest'
import { runInstallation } from './installation.ts'
import { openReader } from './mcp/reader.ts'
import type { Resources } from '../testing/mcp-server.ts'
import { indexOf, resourcesOf, serveResources } from '../testing/mcp-server.ts'

const one = Buffer.from('first')
const two = Buffer.from('second')

/** Runs an installation in a home of its own, with a host that is a shell script. */
async function runWith(script: string, resources: Resources, limits: { format?: 'zip'; timeoutSeconds?: number } = {}) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'installation-'))
  const home = folder.path
  const layout = { home, skills: `${home}/.agents/skills`, inbox: `${home}/inbox`, workspace: `${home}/workspace` }
  await mkdir(layout.workspace)
  const format = limits.format ?? 'tar.gz'
  const profile = HostProfile.parse({
    id: 'script',
    title: 'A script',
    kind: 'extractor',
    channels: ['archive-file'],
    version: ['true'],
    install: [
      {
        format,
        run: ['sh', '-c', script, 'script', '{archive}', '{dest}'],
        timeoutSeconds: limits.timeoutSeconds ?? 10,
      },
    ],
  })
  const failures: string[] = []
  const silent = () => undefined
  const tell = {
    fetched: silent,
    running: silent,
    ran: silent,
    failed: (message: string) => void failures.push(message),
  }
  await using server = await serveResources(resources)
  const report: InstallReport = { host: 'script', version: '1', dest: [], deliveries: [], steps: [] }
  const reader = openReader(server.url)
  const code = await runInstallation({ profile, layout, reader, tell, user: 'agent', formats: [format] }, report)
  const installed = await Promise.all(
    report.dest.map(async (dest) => await readFile(`${dest}/copy`, 'utf8').catch(() => undefined)),
  )
  return { code, report: parseAs(InstallReport, report, 'the report'), failures, installed, home }
}

describe('runInstallation', () => {
  it('hands every skill to the host in turn, in the workspace, and reports each step', async () => {
    const result = await runWith('cat "$1" > "$2/copy"; pwd', resourcesOf({ one, two }))
    expect(result).toMatchObject({ code: installExit.accepted, installed: ['first', 'second'] })
    expect(result.report.dest).toEqual(['one', 'two'].map((name) => `${result.home}/.agents/skills/${name}`))
    expect(result.report.deliveries.map(({ uri, bytes }) => [uri, bytes])).toEqual([
      ['skill://one.tar.gz', 5],
      ['skill://two.tar.gz', 6],
    ])
    expect(result.report.steps.map(({ output }) => output)).toEqual([
      `${result.home}/workspace\n`,
      `${result.home}/workspace\n`,
    ])
  })

  it('goes on after a refusal, and ends as refused', async () => {
    const result = await runWith('case "$1" in *one*) exit 3;; esac; cat "$1" > "$2/copy"', resourcesOf({ one, two }))
    expect(result).toMatchObject({ code: installExit.refused, installed: [undefined, 'second'] })
    expect(result.report.steps.map(({ exitCode }) => exitCode)).toEqual([3, 0])
  })

  it('stops at a time limit', async () => {
    const result = await runWith('sleep 30', resourcesOf({ one, two }), { timeoutSeconds: 0.2 })
    expect(result.code).toBe(installExit.timeout)
    expect(result.report.steps).toMatchObject([{ timedOut: true }])
  })

  it('tells a host that is not there from one that refuses', async () => {
    expect((await runWith('exec /no/such/host', resourcesOf({ one }))).code).toBe(installExit.hostMissing)
  })

  it('never shows the host bytes that the index does not promise', async () => {
    const result = await runWith('cat "$1" > "$2/copy"', resourcesOf({ one, two }, { two: `sha256:${'0'.repeat(64)}` }))
    expect(result.code).toBe(installExit.digestMismatch)
    expect(result.report.deliveries.map(({ uri }) => uri)).toEqual(['skill://one.tar.gz'])
    expect(result.failures).toEqual([expect.stringContaining('skill://two.tar.gz')])
  })

  it('makes no directory for a skill whose name is a path', async () => {
    const result = await runWith('true', { 'skill://index.json': indexOf({ '../up': one }) })
    expect(result).toMatchObject({ code: installExit.fetchFailed, installed: [] })
    expect(result.failures).toEqual([expect.stringContaining('"../up"')])
  })

  it('says when nothing comes in the format of the host', async () => {
    expect((await runWith('true', resourcesOf({ one }), { format: 'zip' })).code).toBe(installExit.nothingToInstall)
  })

  it('says when the server has no index', async () => {
    expect((await runWith('true', {})).code).toBe(installExit.fetchFailed)
  })
})
