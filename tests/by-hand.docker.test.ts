import { DockerComposeEnvironment, Wait } from 'testcontainers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { preflight } from '../runner/src/preflight/index.ts'
import { root } from './support/landfall.ts'

describe('docker compose up', () => {
  it('gives a lab to play in by hand, whose observer prints and shows landings as they happen', async () => {
    await preflight({ root, say: () => undefined })
    await using lab = await new DockerComposeEnvironment(root, 'compose.yaml')
      .withProjectName(`landfall-by-hand-${process.pid}`)
      .withEnvironment({
        LANDFALL_RUN: `by-hand-${process.pid}`,
        LANDFALL_SERVER_PORT: '0',
        LANDFALL_CONTROL_PORT: '0',
        LANDFALL_OBSERVER_PORT: '0',
      })
      .withAutoCleanup(false)
      .withWaitStrategy('skills-server-1', Wait.forHealthCheck())
      .withWaitStrategy('observer-1', Wait.forHealthCheck())
      .up()
    const victim = lab.getContainer('victim-host-1')
    const observer = lab.getContainer('observer-1')
    let log = ''
    const logs = await observer.logs()
    logs.on('data', (chunk: Buffer | string) => (log += chunk.toString()))

    const list = await victim.exec(['landfall-host', 'list'])
    expect(list.exitCode).toBe(0)
    expect(list.output).toContain('adv-zip-traversal')
    expect(list.output).toContain('busybox-unzip')

    const careful = await victim.exec(['landfall-host', 'install', 'adv-zip-traversal', '--host', 'unzip'])
    expect(careful.output).toContain('unzip')
    await delay(3_000)
    expect(log).not.toContain('LANDED')

    const naive = await victim.exec(['landfall-host', 'install', 'adv-zip-traversal', '--host', 'naive'])
    expect(naive.exitCode).toBe(0)
    await expect
      .poll(() => log, { timeout: 15_000, interval: 200 })
      .toMatch(/LANDED adv-zip-traversal\/escape-relative-1: a file was written one level above/)
    expect(log).toMatch(/LANDED adv-zip-traversal\/escape-absolute/)

    const page = await fetch(`http://127.0.0.1:${observer.getMappedPort(3960)}/`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const typo = await victim.exec(['landfall-host', 'install', 'adv-zip-traversel', '--host', 'unzip'])
    expect(typo.exitCode).toBe(64)
    expect(typo.output).toContain('adv-zip-traversal')
    logs.destroy()
  })
})
