import { mkdtemp, readFile, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { deliveryPath, type FetchedChannel, TrialRecord } from '@landfall/contracts'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { StartedService } from '../service.ts'
import { openTrial, startTestService } from '../testing/service.ts'

const key = 'one'
const address = (service: StartedService, channel: FetchedChannel, skill: string, format?: 'tar.gz' | 'zip') =>
  service.mcpUrl + deliveryPath(key, channel, skill, format)

async function record(service: StartedService): Promise<TrialRecord> {
  return TrialRecord.parse(await (await fetch(`${service.controlUrl}/trials/${key}`)).json())
}

const getJson = async (url: string): Promise<unknown> => await (await fetch(url)).json()

async function clone(url: string, ...options: string[]): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-clone-'))
  await execa('git', ['-c', 'core.symlinks=true', 'clone', '--quiet', ...options, url, join(folder, 'r')])
  return { folder: join(folder, 'r'), [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }) }
}

describe('a trial outside of MCP', () => {
  it('hands out archives, and writes down that it did', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    const response = await fetch(address(service, 'archive-url', 'control-benign', 'zip'))
    expect(response.headers.get('content-type')).toBe('application/zip')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(Object.keys(unzipSync(bytes))).toContain('SKILL.md')
    expect((await fetch(address(service, 'archive-url', 'another', 'zip'))).status).toBe(404)
    const { access } = await record(service)
    expect(access).toMatchObject([
      { method: 'GET', uri: '/archives/control-benign.zip', payload: true, bytes: bytes.length },
      { method: 'GET', uri: '/archives/another.zip', error: 404 },
    ])
  })

  it('has an index of files, each of which is there', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    const base = `${address(service, 'well-known', 'control-benign')}/.well-known/skills`
    const files = ['SKILL.md', 'references/notes.md', 'scripts/hello.sh']
    expect(await getJson(`${base}/index.json`)).toMatchObject({ skills: [{ name: 'control-benign', files }] })
    for (const file of files) expect((await fetch(`${base}/control-benign/${file}`)).status).toBe(200)
    expect((await fetch(`${base}/control-benign/else.md`)).status).toBe(404)
  })

  it('has an index of archives with true digests, under the names that the fixture claims', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'adv-index-name-path')
    const base = `${address(service, 'well-known', 'adv-index-name-path', 'tar.gz')}/.well-known/agent-skills/`
    const name = '../../adv-index-name-path'
    const url = 'adv-index-name-path.tar.gz'
    expect(await getJson(`${base}index.json`)).toMatchObject({ skills: [{ name, type: 'archive', url }] })
    const { archives } = await record(service)
    expect(await getJson(`${base}index.json`)).toMatchObject({ skills: [{ digest: `sha256:${archives[0]?.sha256}` }] })
    expect((await fetch(base + url)).status).toBe(200)
  })

  it('answers like a registry', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    const base = `${address(service, 'clawhub', 'control-benign')}/api/v1`
    expect(await getJson(`${base}/skills/control-benign`)).toMatchObject({ latestVersion: { version: '1.0.0' } })
    expect((await fetch(`${base}/download?slug=control-benign&version=1.0.0`)).status).toBe(200)
    expect((await fetch(`${base}/skills/else`)).status).toBe(404)
  })

  it.each([
    ['whole', []],
    ['shallow', ['--depth', '1']],
  ])('is cloned by git, %s, with modes and links', async (_what, options) => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'all' })
    await openTrial(service, key, 'ssh-helper')
    await using copy = await clone(address(service, 'git', 'ssh-helper'), ...options)
    expect(await readFile(join(copy.folder, 'SKILL.md'), 'utf8')).toContain('name: ssh-helper')
    expect(await readlink(join(copy.folder, 'examples/id_rsa.example'))).toContain('.ssh/id_rsa')
    await execa('git', ['-C', copy.folder, 'fsck', '--strict'])
    const { access } = await record(service)
    expect(access.at(-1)).toMatchObject({ method: 'POST', payload: true })
  })

  it('keeps the executable bit', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    await using copy = await clone(address(service, 'git', 'control-benign'))
    expect((await stat(join(copy.folder, 'scripts/hello.sh'))).mode & 0o111).not.toBe(0)
  })

  it('is a marketplace of one plugin', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    await using copy = await clone(address(service, 'marketplace', 'control-benign'))
    expect(JSON.parse(await readFile(join(copy.folder, '.claude-plugin/marketplace.json'), 'utf8'))).toMatchObject({
      plugins: [{ name: 'control-benign', source: './plugins/control-benign' }],
    })
    await stat(join(copy.folder, 'plugins/control-benign/skills/control-benign/SKILL.md'))
  })

  it.each(['/t/two/archives/control-benign.zip', '/t/one/', '/t/one/git/control-benign.git/info/refs', '/t/one/%ZZ'])(
    'has nothing at %s',
    async (path) => {
      await using service = await startTestService()
      await openTrial(service, key, 'control-benign')
      expect((await fetch(service.mcpUrl + path)).status).toBe(404)
    },
  )

  it('takes no large body', async () => {
    await using service = await startTestService()
    await openTrial(service, key, 'control-benign')
    const url = `${address(service, 'git', 'control-benign')}/git-upload-pack`
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
  })
})
