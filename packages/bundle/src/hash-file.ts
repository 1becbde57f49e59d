import { createHash, hash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { quotePath, refusal, refusals } from './core/index.ts'
import type { Identity } from './identity.ts'
import { identityOf, isSame } from './identity.ts'
import { changed } from './system-errors.ts'
import type { PlannedFile } from './walk.ts'

/** Reads one file that has been seen, and only if it is still the same one, before and after. */
export interface HashedFile {
  readonly sha256: string
  /** The bytes that were hashed, when they were asked for and are less than a mebibyte. */
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
    const hashed = hashContent(descriptor, file, keep)
    afterRead()
    expectSame(identityOf(fstatSync(descriptor, { bigint: true })))
    return hashed
  } finally {
    closeSync(descriptor)
  }
}

function hashContent(descriptor: number, file: PlannedFile, keep: boolean): HashedFile {
  const first = fill(descriptor, file, 0)
  // In one piece, as nearly all files are: this costs less than a hash that is fed.
  if (first.length < chunk.length) {
    expectSize(file, first.length)
    return { sha256: hash('sha256', first), ...(keep ? { content: Buffer.from(first) } : {}) }
  }
  const running = createHash('sha256')
  let total = 0
  for (let piece = first; piece.length > 0; piece = fill(descriptor, file, total)) {
    running.update(piece)
    total += piece.length
  }
  expectSize(file, total)
  return { sha256: running.digest('hex') }
}

/** The next piece, until the memory is full or the file ends. One byte more than it had is one too many. */
function fill(descriptor: number, { path, identity }: PlannedFile, before: number): Buffer {
  const left = Number(identity.size) - before
  let length = 0
  while (length < chunk.length) {
    const wanted = Math.min(chunk.length - length, left - length + 1)
    const count = readSync(descriptor, chunk, length, wanted, null)
    length += count
    if (length > left) {
      const message = `Grew beyond the limit of the ${identity.size} bytes it had: ${quotePath(path)}`
      throw refusal(refusals.grew, message, { path })
    }
    // Less than was asked for, at the size that was seen, is the end as well; its state is compared once more.
    if (count === 0 || (count < wanted && length === left)) break
  }
  return chunk.subarray(0, length)
}

function expectSize({ path, identity }: PlannedFile, length: number): void {
  if (length !== Number(identity.size)) throw changed(path)
}
