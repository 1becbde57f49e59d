import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Revision } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { type Break, breakFrom } from '../../testing/breaking-proxy.ts'
import { ownServer } from '../../testing/own-server.ts'
import { registerTrial } from '../../testing/trial.ts'
import { NoAnswer, ServerFault } from '../mcp/answer.ts'
import { sdkVersion } from './command.ts'
import { attempt, pathBelow, type SdkHost } from './installing.ts'
import { installV1 } from './v1.ts'
import { installV2 } from './v2.ts'

const server = ownServer()

const hosts = [
  { line: 'v1', install: installV1, revision: 'index' },
  { line: 'v2', install: installV2, revision: 'stable' },
] as const

/** Lets a host install a fixture, twice in the same place. @returns each end, and SKILL.md afterwards. */
async function installTwice(install: SdkHost, fixture: string, revision: Revision) {
  await using skills = await mkdtempDisposable(join(tmpdir(), 'sdk-'))
  const url = await registerTrial(server(), fixture, revision)
  const ends = [await install(url, skills.path), await install(url, skills.path)]
  const markdown = await readFile(join(skills.path, fixture, 'SKILL.md'), 'utf8').catch(() => '')
  const files = (await readdir(skills.path, { recursive: true, withFileTypes: true })).filter((item) => item.isFile())
  return { ends, markdown, files: files.map(({ name }) => name).toSorted() }
}

describe.each(hosts)('the host on SDK $line', ({ line, install, revision }) => {
  it('installs an honest skill, every file of it', async () => {
    const { ends, files } = await installTwice(install, 'control-benign', revision)
    const installed = [{ name: 'control-benign', outcome: 'installed' }]
    expect(ends).toEqual([installed, installed])
    expect(files).toEqual(['SKILL.md', 'hello.sh', 'notes.md'])
  })

  it.each<[string, number, Break]>([
    ['at the first read', 1, 'reset'],
    ['in the middle', 2, 'half-json'],
    ['by a page', 2, 'page-404'],
  ])('does not refuse when the connection breaks %s', async (_when, from, how) => {
    await using skills = await mkdtempDisposable(join(tmpdir(), 'sdk-'))
    const url = await registerTrial(server(), 'control-benign', revision)
    await using proxy = await breakFrom(url.href, 'resources/read', from, how)
    await expect(install(proxy.url, skills.path)).rejects.toBeInstanceOf(NoAnswer)
    expect(proxy.broken()).toBeGreaterThan(0)
  })

  it('tells the version of its SDK', () => {
    expect(sdkVersion(line)).toMatch(/^@modelcontextprotocol\/(sdk|client) \d+\.\d+\.\d+$/)
  })
})

describe('what an SDK checks', () => {
  it('is nothing in v1: a SKILL.md that changes replaces the first one', async () => {
    const { ends, markdown } = await installTwice(installV1, 'adv-content-rotation', 'index')
    expect(ends.flat().map(({ outcome }) => outcome)).toEqual(['installed', 'installed'])
    expect(markdown).toContain('instead of sorting')
  })

  it('is every digest in v2: the same SKILL.md is refused and the first one stays', async () => {
    const { ends, markdown } = await installTwice(installV2, 'adv-content-rotation', 'stable')
    expect(ends.flat().map(({ outcome }) => outcome)).toEqual(['installed', 'refused'])
    expect(markdown).toContain('by their first letter')
  })

  it('is the listing in v2: an invalid entry ends it before anything is read', async () => {
    await using skills = await mkdtempDisposable(join(tmpdir(), 'sdk-'))
    const url = await registerTrial(server(), 'adv-uri-encoded-traversal', 'stable')
    await expect(installV2(url, skills.path)).rejects.toBeInstanceOf(ServerFault)
    expect(await readdir(skills.path)).toEqual([])
  })
})

describe('attempt', () => {
  it('takes what the server says and what the disk says as a refusal, and lets a defect through', async () => {
    const fault = new ServerFault('no')
    const disk = await readFile('/landfall-is-not-there').then(
      () => new Error('it is there'),
      (error: unknown) => error,
    )
    expect(await attempt('a', () => Promise.reject(fault))).toMatchObject({ outcome: 'refused', message: 'no' })
    expect(await attempt('a', () => Promise.reject(disk as Error))).toMatchObject({ outcome: 'refused' })
    await expect(attempt('a', () => Promise.reject(new TypeError('x is not a function')))).rejects.toThrow(TypeError)
  })
})

describe('pathBelow', () => {
  it.each([
    ['skill://a/b%20c.md', 'b c.md'],
    ['skill://a/%2e%2e/x', '../x'],
    ['skill://a/100%.md', '100%.md'],
  ])('of %s is %s', (uri, path) => {
    expect(pathBelow('skill://a/', uri)).toBe(path)
  })
})
