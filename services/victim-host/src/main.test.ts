import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

function run(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--no-warnings', main, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    })
  })
}

describe('landfall-host on a machine that is no victim', () => {
  it('installs nothing, whichever way it is asked', async () => {
    const quick = await run('install', '--host', 'naive', '--url', 'http://127.0.0.1:9/mcp', '--json')
    const slow = await run('install', 'adv-zip-traversal', '--host', 'naive')
    for (const { code, stderr, stdout } of [quick, slow]) {
      expect(code).toBe(64)
      expect(stderr).toContain('in a victim only')
      expect(stdout).toBe('')
    }
  })

  it('explains what it is for', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    for (const command of ['install', 'list', 'hosts', 'self-test']) expect(stdout).toContain(command)
  })

  it('refuses targets of a self-test that are none', async () => {
    const { code, stderr } = await run('self-test', '--targets', '{"reachable":1}')
    expect(code).toBe(64)
    expect(stderr).toContain('reachable')
    expect((await run('self-test', '--targets', 'x')).stderr).toContain('not JSON')
  })
})
