import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { quotePath, refusal, refusals } from './core/index.ts'
import type { Identity } from './identity.ts'
import { identityOf, isSame } from './identity.ts'
import { changed } from './system-errors.ts'
import type { PlannedFile } from './walk.ts'

/** Reads one file that has been seen, and only if it is still the same one, before and after. */
export interface HashedFile {
  readonly sha256: string
  /** The bytes that were hashed, when they were asked for. */
  readonly content?: Buffer
}

/** A link that took the file's place must not be followed, a FIFO must not block. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** One for all reads: they follow one another. */
const chunk = Buffer.allocUnsafeSlow(1024 * 1024)

/**
 * @param place where the file is reached; `file.path` is only for messages.
 * @throws LandfallError `changed`, `grew`; errors of the system as they are.
 */
export function hashFile(file: PlannedFile, place: string, keep: boolean, afterRead: () => void): HashedFile {
  const expectSame = (now: Identity) => {
    if (!isSame(file.identity, now)) throw changed(file.path)
  }
  // Nothing that is not a regular file is even opened: opening a device can be an act in itself.
  expectSame(identityOf(lstatSync(place, { bigint: true })))
  const descriptor = openSync(place, flags)
  try {
    expectSame(identityOf(fstatSync(descriptor, { bigint: true })))
    const hash = createHash('sha256')
    const kept: Buffer[] = []
    for (const bytes of contentOf(descriptor, file)) {
      hash.update(bytes)
      if (keep) kept.push(Buffer.from(bytes))
    }
    afterRead()
    expectSame(identityOf(fstatSync(descriptor, { bigint: true })))
    return { sha256: hash.digest('hex'), ...(keep ? { content: Buffer.concat(kept) } : {}) }
  } finally {
    closeSync(descriptor)
  }
}

/** The bytes of the file, piece by piece in the same memory. One byte more than it had is one too many. */
function* contentOf(descriptor: number, { path, identity }: PlannedFile): Generator<Buffer> {
  const size = Number(identity.size)
  let total = 0
  for (;;) {
    const wanted = Math.min(chunk.length, size - total + 1)
    const count = readSync(descriptor, chunk, 0, wanted, null)
    if (count === 0) break
    total += count
    if (total > size) {
      throw refusal(refusals.grew, `Grew beyond the limit of the ${size} bytes it had: ${quotePath(path)}`, { path })
    }
    yield chunk.subarray(0, count)
  }
  if (total !== size) throw changed(path)
}
