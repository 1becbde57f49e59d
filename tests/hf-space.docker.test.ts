import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { root } from './support/landfall.ts'

/** The container of a public deployment, run as strictly as a careful host would. */
const name = `landfall-test-hf-space-${process.pid}`
const allowed = 'demo-landfall.example'

interface Started extends AsyncDisposable {
  readonly port: number
  readonly inside: (...command: string[]) => Promise<string>
}

async function docker(...args: string[]): Promise<string> {
  return (await execa('docker', args, { cwd: root })).stdout
}

async function start(...env: string[]): Promise<Started> {
  const image = process.env['LANDFALL_NODE_IMAGE'] ?? 'node:24-trixie-slim'
  await using made = new AsyncDisposableStack()
  await docker('build', '-q', '-f', 'deploy/hf-space/Dockerfile', '--build-arg', `NODE_IMAGE=${image}`, '-t', name, '.')
  made.defer(async () => void (await docker('rmi', '-f', name)))
  const strict = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--memory', '512m']
  const settings = env.flatMap((each) => ['--env', each])
  await docker('create', '--name', name, ...strict, ...settings, '--publish', '127.0.0.1::7860', name)
  made.defer(async () => void (await docker('rm', '-f', name)))
  await docker('start', name)
  const [, port = ''] = /:(\d+)$/.exec(await docker('port', name, '7860/tcp')) ?? []
  const kept = made.move()
  return {
    port: Number(port),
    inside: async (...command) => await docker('exec', name, ...command),
    [Symbol.asyncDispose]: async () => await kept.disposeAsync(),
  }
}

async function ask(port: number, host: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const body = { jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} }
  const headers = { host, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const outgoing = request({ port, path: '/mcp', method: 'POST', headers }, (response) => {
    text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject)
  })
  outgoing.on('error', reject)
  outgoing.end(JSON.stringify(body))
  return await promise
}

describe('deploy/hf-space', () => {
  it('serves the corpus alone, to those who know its name, without rights and without a control port', async () => {
    await using space = await start(`SPACE_HOST=${allowed}`)
    await expect
      .poll(async () => await ask(space.port, allowed).catch(() => undefined), { timeout: 30_000 })
      .toMatchObject({ status: 200 })
    const { body } = await ask(space.port, allowed)
    expect(body).toContain('skill://check-licenses/SKILL.md')
    // A file whose name the build context leaves out elsewhere.
    expect(body).toContain('skill://ssh-helper/examples/README.md')
    expect(body).not.toContain('adv-')
    expect(body).not.toContain('EXPLANATION.md')
    expect((await ask(space.port, 'evil.example')).status).toBe(403)
    expect(await space.inside('id', '-u')).toBe('1000')
    expect(await space.inside('node', 'services/skills-server/src/healthcheck.ts')).toBe('')
    const listening = await space.inside('sh', '-c', "grep -h ' 0A ' /proc/net/tcp /proc/net/tcp6 | wc -l")
    expect(listening.trim()).toBe('1')
    const stopped = performance.now()
    await docker('stop', '--time', '5', name)
    expect(performance.now() - stopped).toBeLessThan(4_000)
    expect(await docker('inspect', '--format', '{{.State.ExitCode}}', name)).toBe('0')
  })
})
