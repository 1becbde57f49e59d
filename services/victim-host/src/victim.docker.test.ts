import { decoys } from '@landfall/catalog'
import { users, victimLayout } from '@landfall/contracts'
import { installExit } from '@landfall/contracts/install-exit'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tarGz, zip } from '../testing/archives.ts'
import { breakFrom } from '../testing/breaking-proxy.ts'
import { serveResources, skillIn } from '../testing/mcp-server.ts'
import { buildVictim, Victim } from '../testing/victim.ts'
import { hostsOf } from './image/needs.ts'
import { readProfileFolder } from './profile-folder.ts'
import { hostsFolder } from './profiles.ts'

beforeAll(buildVictim)

const benign = { 'SKILL.md': '---\nname: demo\n---\nhello\n', 'scripts/hello.sh': '#!/bin/sh\necho hello\n' }
const Hosts = z.array(
  z.looseObject({
    id: z.string(),
    version: z.string(),
    control: z.string().optional(),
    install: z.array(z.object({ format: z.string() })),
  }),
)

describe.each(users)('a victim of %s', (user) => {
  const { home, skills } = victimLayout(user)

  it('lets every host but the inert one install a benign skill, in each of its formats', async () => {
    await using victim = await Victim.start(user)
    const archives = { 'tar.gz': await tarGz(benign), zip: await zip(benign) }
    await using server = await serveResources(skillIn('demo', archives))
    const hosts = Hosts.parse(JSON.parse((await victim.run(['landfall-host', 'hosts', '--json'])).stdout))
    expect(hosts.map(({ id }) => id)).toEqual(hostsOf(await readProfileFolder(hostsFolder)).map(({ id }) => id))
    const expected: string[] = []
    const seen: string[] = []
    for (const { id, version, control, install } of hosts) {
      expect(version).toMatch(/\d/)
      for (const { format } of install) {
        const { exitCode, report } = await victim.install('--host', id, '--url', server.url.href, '--format', format)
        expect(report).toMatchObject({ host: id, version, dest: [`${skills}/demo`], steps: [{ timedOut: false }] })
        const installed = await victim.sh(`cd ${skills}/demo && find . -type f | sort && cat SKILL.md`)
        const whole = `./SKILL.md\n./scripts/hello.sh\n${benign['SKILL.md']}`
        const wanted = control === 'inert' ? [installExit.refused, ''] : [installExit.accepted, whole]
        expected.push(JSON.stringify([id, format, ...wanted]))
        seen.push(JSON.stringify([id, format, exitCode, installed]))
      }
    }
    expect(seen).toEqual(expected)
    expect(await victim.sh(`ls -A ${skills}`)).toBe('demo\nlandfall-neighbour\n')
  })

  it('lets a path that climbs land with the naive host and with no other control', async () => {
    await using victim = await Victim.start(user)
    const climbing = await tarGz({ ...benign, '../climbed.txt': 'climbed' })
    await using server = await serveResources(skillIn('demo', { 'tar.gz': climbing }))
    const landed = `${skills}/climbed.txt`
    expect((await victim.install('--host', 'inert', '--url', server.url.href)).exitCode).toBe(installExit.refused)
    expect(await victim.sh(`cat ${landed}`)).toBe('')
    expect((await victim.install('--host', 'naive', '--url', server.url.href)).exitCode).toBe(installExit.accepted)
    expect(await victim.sh(`cat ${landed}`)).toBe('climbed')
  })

  it('is written to in the inbox and the destination alone, and runs on the cache of the image', async () => {
    await using victim = await Victim.start(user)
    await using server = await serveResources(skillIn('demo', { 'tar.gz': await tarGz(benign) }))
    const command = ['landfall-host', 'install', '--host', 'naive', '--url', server.url.href, '--json']
    const { stdout, stderr } = await victim.run(command, { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
    const lookups = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('reading cache from'))
    expect(lookups.length).toBeGreaterThan(20)
    expect(lookups.filter((line) => !line.includes('success'))).toEqual([])

    const inbox = `${home}/.landfall/inbox`
    const expected = [
      `${inbox}/demo.tar.gz`,
      `${skills}/demo`,
      `${skills}/demo/SKILL.md`,
      `${skills}/demo/scripts`,
      `${skills}/demo/scripts/hello.sh`,
    ]
    const parents = new Set(
      expected.flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'))),
    )
    const changed = (await victim.changes()).filter((path) => !parents.has(path) || expected.includes(path))
    expect(changed.toSorted()).toEqual(expected.toSorted())
  })

  it('cannot change the code of the lab', async () => {
    await using victim = await Victim.start(user)
    for (const path of [
      '/opt/landfall/x',
      '/opt/landfall/compile-cache/x',
      '/opt/landfall/services/victim-host/src/main.ts',
    ]) {
      expect((await victim.run(['sh', '-c', `echo x >> ${path}`])).stderr).toContain('Permission denied')
    }
  })

  it('holds the decoys, and nothing else that is new to its user', async () => {
    await using victim = await Victim.start(user)
    expect(await victim.sh(`cd ${home} && find . -type f -exec grep -lE 'LFC-[0-9a-f]{32}' {} + | sort`)).toBe(
      decoys
        .map(({ path }) => `./${path}\n`)
        .toSorted()
        .join(''),
    )
    expect(await victim.sh(`find ${home} ! -user ${user} -o ! -group ${user}`)).toBe('')
  })
})

describe('landfall-host', () => {
  it('explains mistakes, names what was meant and exits 64', async () => {
    await using victim = await Victim.start('agent')
    const run = async (...args: string[]) => await victim.run(['landfall-host', ...args])
    const host = await run('install', 'adv-zip-traversal', '--host', 'unzipp')
    expect(host).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('Did you mean unzip?') as string })
    const fixture = await run('install', 'adv-zip-traversl', '--host', 'unzip')
    expect(fixture).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('Did you mean adv-zip-traversal?') as string,
    })
    expect((await run('install', '--host', 'unzip', '--format', 'rar')).exitCode).toBe(64)
    expect((await run('install', '--host', 'unzip', '--url', 'nowhere')).exitCode).toBe(64)
    expect((await run('instal')).exitCode).toBe(64)
    expect((await run('--help')).exitCode).toBe(0)
  })

  it('lists fixtures and hosts', async () => {
    await using victim = await Victim.start('agent')
    const { stdout } = await victim.run(['landfall-host', 'list'])
    for (const id of ['adv-zip-traversal', 'naive', 'gnu-tar', 'tar (GNU tar)']) expect(stdout).toContain(id)
  })

  it('tells a person what it does', async () => {
    await using victim = await Victim.start('agent')
    await using server = await serveResources(skillIn('demo', { 'tar.gz': await tarGz(benign) }))
    const { stdout, exitCode } = await victim.run([
      'landfall-host',
      'install',
      '--host',
      'inert',
      '--url',
      server.url.href,
    ])
    expect(exitCode).toBe(installExit.refused)
    expect(stdout).toMatch(/demo: fetched skill:\/\/demo\.tar\.gz, \d+ bytes/)
    expect(stdout).toContain('refused unseen')
    expect(stdout).toContain('exit code 1')
  })

  it('ends with 20 when the server drops the connection while the reference host visits it', async () => {
    await using victim = await Victim.start('agent')
    await using real = await serveResources(skillIn('demo', { 'tar.gz': await tarGz(benign) }))
    await using proxy = await breakFrom(real.url.href, 'resources/read', 2, 'reset')
    const asked = ['--host', 'reference', '--channel', 'mcp-index', '--url', proxy.url.href]
    const { exitCode, report } = await victim.install(...asked)
    expect(proxy.broken()).toBe(1)
    expect(report).toMatchObject({ steps: [{ exitCode: 4, output: expect.stringContaining('no-answer') as string }] })
    expect(exitCode).toBe(installExit.fetchFailed)
  })

  it('ends with 20 when nobody serves', async () => {
    await using victim = await Victim.start('agent')
    const { exitCode, report } = await victim.install('--host', 'inert', '--url', 'http://127.0.0.1:9/mcp')
    expect(exitCode).toBe(installExit.fetchFailed)
    expect(report).toMatchObject({ deliveries: [], steps: [] })
  })
})
