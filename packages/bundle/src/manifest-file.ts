import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { sep } from 'node:path'
import type { BundleManifest } from './core/index.ts'
import { limits, parseManifest, quotePath, refusal, refusals } from './core/index.ts'
import type { FileId } from './identity.ts'
import { sha256 } from './read-bundle.ts'
import { errnoOf } from './system-errors.ts'

/** A manifest that came from a file. */
export interface ManifestFile {
  readonly manifest: BundleManifest
  readonly id: FileId
}

/**
 * Reads and checks the manifest at `path`, which must not lie in `directory`: it would describe itself.
 *
 * @throws LandfallError: every refusal of a manifest and `unreadable`; `directory` is only looked up.
 */
export async function readManifestFile(path: string, directory: string): Promise<ManifestFile> {
  const { bytes, id } = onManifest(path, () => {
    const real = realpathSync(path)
    refuseInside(real, directory)
    // Looked at before it is opened: opening a FIFO for reading can wait for ever, and a device may act.
    if (!statSync(real).isFile()) throw notRegular(path)
    return contentOf(real, path)
  })
  return { manifest: await parseManifest(bytes, sha256), id }
}

function refuseInside(manifest: string, directory: string): void {
  let root: string
  try {
    root = realpathSync(directory)
  } catch {
    // The directory's own reader says what is wrong with it.
    return
  }
  if (!manifest.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return
  throw refusal(refusals.manifestInside, `The manifest must lie outside the skill directory: ${quotePath(manifest)}`)
}

function contentOf(real: string, path: string): { bytes: Buffer; id: FileId } {
  const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor, { bigint: true })
    if (!stats.isFile()) throw notRegular(path)
    return { bytes: upTo(descriptor, limits.manifestBytes + 1), id: { dev: stats.dev, ino: stats.ino } }
  } finally {
    closeSync(descriptor)
  }
}

/** One byte over the limit is enough to refuse, however long the file is. */
function upTo(descriptor: number, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(most)
  let length = 0
  for (;;) {
    const count = readSync(descriptor, bytes, length, most - length, null)
    length += count
    if (count === 0 || length === most) return bytes.subarray(0, length)
  }
}

function notRegular(path: string): Error {
  return refusal(refusals.manifestKind, `The manifest is not a regular file: ${quotePath(path)}`)
}

function onManifest<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === undefined) throw cause
    if (errno === 'ENOENT' || errno === 'ENOTDIR')
      throw refusal(refusals.manifestMissing, `No such manifest: ${quotePath(path)}`, {}, { cause })
    throw refusal(refusals.unreadable, `Not readable (${errno}): ${quotePath(path)}`, { errno }, { cause })
  }
}
