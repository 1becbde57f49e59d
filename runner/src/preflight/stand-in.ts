/**
 * Makes a stand-in for the official slim Node image: Debian's minimal system, this Node, npm and the user `node`.
 *
 * It also carries what a build on this machine needs to reach its registries: the machine's certificates and the
 * registry that its npm uses. The Dockerfiles know nothing of that.
 */
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LandfallError } from '@landfall/contracts'
import { execa } from 'execa'
import { aptInstall, aptUpdate } from './apt.ts'
import { findProgram } from './engine-facts.ts'
import { exec, searchPath } from './exec.ts'
import type { Say } from './say.ts'

export const standInLabel = 'dev.landfall.stand-in'

const suite = 'trixie'
const npmPackage = 'npm@11.19.1'
const certificates = '/etc/ssl/certs/build-machine.pem'
// What Debian's own slim images leave out.
const slim = ['path-exclude=/usr/share/man/*', 'path-exclude=/usr/share/info/*', 'path-exclude=/usr/share/locale/*']
  .concat('path-exclude=/usr/share/doc/*', 'path-include=/usr/share/doc/*/copyright')
  .map((option) => `--dpkgopt=${option}`)

export async function buildStandIn(name: string, root: string, say: Say): Promise<void> {
  await needMmdebstrap(name, say)
  const work = await mkdtemp(join(tmpdir(), 'landfall-base-'))
  try {
    const files = join(work, 'files')
    const environment = await layOut(files, work, root)
    const id = await importSystem(files, environment)
    const check = await exec('docker', ['run', '--rm', '--network=none', id, 'sh', '-c', 'node -v && npm -v'])
    if (!check.ok) {
      await exec('docker', ['image', 'rm', id])
      throw new LandfallError('engine', `the engine cannot run a container of the base image: ${check.why}`)
    }
    await exec('docker', ['tag', id, name])
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function needMmdebstrap(name: string, say: Say): Promise<void> {
  if (findProgram('mmdebstrap') !== undefined && process.getuid?.() === 0) return
  const cannot = `the base image ${name} cannot be pulled, and a stand-in can be made only`
  const byHand = `Bring it from another machine: docker save ${name} there, docker load here.`
  if (process.getuid?.() !== 0) throw new LandfallError('machine', `${cannot} by root. ${byHand}`)
  if (findProgram('apt-get') === undefined)
    throw new LandfallError('machine', `${cannot} on Debian or Ubuntu. ${byHand}`)
  if (process.env['LANDFALL_SETUP'] === 'never') {
    throw new LandfallError(
      'machine',
      `${cannot} with mmdebstrap, which LANDFALL_SETUP=never forbids to install. ${byHand}`,
    )
  }
  say('installing mmdebstrap, which makes a Debian system from packages')
  await aptUpdate(say)
  await aptInstall(['mmdebstrap', 'debian-archive-keyring'], say)
}

/** Lays out everything that is not Debian's. @returns the image's environment. */
async function layOut(files: string, work: string, root: string): Promise<Record<string, string>> {
  const local = join(files, 'usr/local')
  for (const folder of ['bin', 'etc', 'lib/node_modules']) await mkdir(join(local, folder), { recursive: true })
  await cp(process.execPath, join(local, 'bin/node'), { dereference: true })
  await unpackNpm(work, join(local, 'lib/node_modules/npm'))
  await symlink('node', join(local, 'bin/nodejs'))
  for (const tool of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${tool}-cli.js`, join(local, 'bin', tool))
  }
  const registry = (await npmSetting('registry', root)) ?? ''
  // An address with a password in it must not end up in an image.
  if (registry !== '' && new URL(registry).password === '') {
    await writeFile(join(local, 'etc/npmrc'), `registry=${registry}\n`)
  }
  const environment: Record<string, string> = { NODE_VERSION: process.versions.node }
  const bundle = process.env['NODE_EXTRA_CA_CERTS'] ?? (await npmSetting('cafile', root))
  if (bundle !== undefined) {
    await mkdir(join(files, 'etc/ssl/certs'), { recursive: true })
    await cp(bundle, join(files, certificates), { dereference: true })
    environment['NODE_EXTRA_CA_CERTS'] = certificates
  }
  await openForAll(files)
  return environment
}

async function unpackNpm(work: string, target: string): Promise<void> {
  const pack = await exec('npm', ['pack', '--silent', '--pack-destination', work, npmPackage], { cwd: work })
  if (!pack.ok) throw new LandfallError('machine', `npm cannot be fetched for the base image: ${pack.why}`)
  const archive = join(work, pack.stdout.trim().split('\n').at(-1) ?? '')
  await mkdir(target, { recursive: true })
  const unpack = await exec('tar', ['-xzf', archive, '--strip-components=1', '--no-same-owner', '-C', target])
  if (!unpack.ok) throw new LandfallError('machine', `npm cannot be unpacked for the base image: ${unpack.why}`)
}

async function npmSetting(key: string, root: string): Promise<string | undefined> {
  const { ok, stdout } = await exec('npm', ['config', 'get', key], { cwd: root })
  const value = stdout.trim()
  return ok && value !== '' && value !== 'null' && value !== 'undefined' ? value : undefined
}

/** Whatever umask set-up runs with, the image's user must be able to read and run all of it. */
async function openForAll(files: string): Promise<void> {
  await exec('chmod', ['-R', 'u=rwX,go=rX', files])
  await chmod(join(files, 'usr/local/bin/node'), 0o755)
  const scripts = join(files, 'usr/local/lib/node_modules/npm/bin')
  for (const file of await readdir(scripts)) if (file.endsWith('-cli.js')) await chmod(join(scripts, file), 0o755)
}

/** @returns the id of an image without a name: it gets one only when all of it has arrived. */
async function importSystem(files: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const changes = ['CMD ["node"]', `LABEL ${standInLabel}=1`]
  for (const [key, value] of Object.entries(environment)) changes.push(`ENV ${key}=${value}`)
  const hooks = [
    `sync-in '${files}' /`,
    'chroot "$1" groupadd --gid 1000 node',
    'chroot "$1" useradd --uid 1000 --gid node --shell /bin/bash --create-home node',
  ]
  const make = ['--variant=minbase', ...slim, ...hooks.map((hook) => `--customize-hook=${hook}`), suite, '-']
  const system = execa('mmdebstrap', make, {
    reject: false,
    encoding: 'buffer',
    buffer: { stdout: false, stderr: true },
    env: { PATH: searchPath(), LC_ALL: 'C' },
  })
  const load = ['import', ...changes.flatMap((change) => ['--change', change]), '-']
  const image = execa('docker', load, { reject: false, input: system.stdout })
  const [made, loaded] = await Promise.all([system, image])
  if (!made.failed && !loaded.failed) return loaded.stdout.trim()
  if (!loaded.failed) await exec('docker', ['image', 'rm', loaded.stdout.trim()])
  const log = Buffer.from(made.stderr).toString().trim().split('\n').slice(-6).join('\n  ')
  const cause = made.failed ? `mmdebstrap failed:\n  ${log}` : `docker import failed: ${loaded.stderr.trim()}`
  throw new LandfallError('machine', `the stand-in for the base image could not be made: ${cause}`)
}
