import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { hostEnvironment, runHost } from './run-host.ts'

const env = hostEnvironment('/nowhere', 'agent', { EXTRA: 'yes' })
const sh = (script: string, timeoutMs = 10_000) => runHost({ argv: ['sh', '-c', script], cwd: '/', env, timeoutMs })

describe('runHost', () => {
  it('tells how a command ended and what it printed, on either stream', async () => {
    const step = await sh('echo out; echo err >&2; exit 3')
    expect(step).toMatchObject({
      exitCode: 3,
      signal: null,
      timedOut: false,
      command: ['sh', '-c', expect.any(String)],
    })
    expect(step.output.split('\n').toSorted()).toEqual(['', 'err', 'out'])
  })

  it('gives a host nothing of the environment but what is listed', async () => {
    process.env.LANDFALL_SECRET_OF_TEST = 'x'
    const { output } = await sh('env')
    delete process.env.LANDFALL_SECRET_OF_TEST
    const lines = output.trim().split('\n')
    const ofShell = /^(?:PWD|OLDPWD|SHLVL|_)=/
    const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`)
    expect(new Set(lines.filter((line) => !ofShell.test(line)))).toEqual(new Set(expected))
    expect(output).not.toContain('LANDFALL')
  })

  it('closes stdin, so that a question gets no answer', async () => {
    expect((await sh('cat; echo done')).output).toBe('done\n')
  })

  it('tells of a signal', async () => {
    expect(await sh('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', timedOut: false })
  })

  it('ends a command that does not exist as a shell does', async () => {
    const step = await runHost({ argv: ['/no/such/host'], cwd: '/', env, timeoutMs: 1000 })
    expect(step).toMatchObject({ exitCode: 127, output: expect.stringContaining('ENOENT') as string })
  })

  it('kills the whole group at the limit', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'run-host-'))
    const file = join(folder.path, 'alive')
    const step = await sh(`(sleep 2; echo alive > '${file}') & sleep 60`, 200)
    expect(step).toMatchObject({ timedOut: true, signal: 'SIGKILL', exitCode: null })
    expect(step.durationMs).toBeLessThan(2_000)
    await sleep(2_500)
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('does not wait for what a host leaves behind', async () => {
    const step = await sh('sleep 3 & echo started')
    expect(step).toMatchObject({ exitCode: 0, output: 'started\n' })
    expect(step.durationMs).toBeLessThan(2_000)
  })

  it('keeps only the end of a flood', async () => {
    const { output } = await sh('yes | head -c 3000000; echo the end')
    expect(output.length).toBeLessThan(17_000)
    expect(output).toMatch(/the end\n$/)
  })
})
