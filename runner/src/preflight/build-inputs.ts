/** A hash over everything that decides what `docker build` makes. */
import { createHash } from 'node:crypto'
import { readFile, readdir, readlink, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import { LandfallError } from '@landfall/contracts'

export interface Build {
  /** Absolute folder. */
  readonly context: string
  readonly dockerfile: string
  readonly args: Readonly<Record<string, string | null>>
  readonly target: string | undefined
}

// Never part of an image, and large: not even looked into.
const skipped = new Set(['node_modules', '.git', 'results', '.landfall'])

/** @param baseId id of the image that the build starts from. @returns sha256 in hex; the same in every checkout. */
export async function hashBuildInputs(build: Build, baseId: string): Promise<string> {
  const hash = createHash('sha256')
  const dockerfile = await readFile(join(build.context, build.dockerfile)).catch((cause: unknown) => {
    const message = `compose.yaml names a Dockerfile that cannot be read: ${build.dockerfile}`
    throw new LandfallError('invalid', message, {}, { cause })
  })
  hash.update(
    JSON.stringify([1, baseId, build.target, Object.entries(build.args).toSorted(byName), digest(dockerfile)]),
  )
  for (const path of await contextFiles(build)) hash.update(JSON.stringify([path, await fingerprint(build, path)]))
  return hash.digest('hex')
}

async function contextFiles(build: Build): Promise<string[]> {
  const ignored = await ignoreRules(build)
  const found: string[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(build.context, folder), { withFileTypes: true })) {
      if (skipped.has(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      // A later `!` line may take back what an ignored folder holds, so folders are always entered.
      if (entry.isDirectory()) folders.push(path)
      else if (!ignored(path)) found.push(path)
    }
  }
  return found.toSorted()
}

async function ignoreRules(build: Build): Promise<(path: string) => boolean> {
  for (const name of [`${build.dockerfile}.dockerignore`, '.dockerignore']) {
    const text = await readFile(join(build.context, name), 'utf8').catch(() => undefined)
    if (text === undefined) continue
    const rules = dockerignore.default({ ignorecase: false }).add(text)
    return (path) => rules.ignores(path)
  }
  return () => false
}

async function fingerprint(build: Build, path: string): Promise<string> {
  const full = join(build.context, path)
  const { mode } = await lstat(full)
  const kind = (mode & 0o170000) === 0o120000 ? 'link' : 'file'
  const content = kind === 'link' ? await readlink(full) : await readFile(full)
  return `${kind} ${(mode & 0o777).toString(8)} ${digest(content)}`
}

function digest(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
