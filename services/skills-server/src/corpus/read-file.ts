import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { LandfallError } from '@landfall/contracts'

/** Bytes of the largest file that is served. Whatever is larger could not be sent as one answer. */
export const maxFileBytes = 64 * 1024 * 1024

export interface FileRead {
  readonly bytes: Buffer
  /** 0o755 when anybody may execute it, otherwise 0o644: the rest depends on whoever unpacked the tree. */
  readonly mode: number
}

/**
 * Reads a regular file whole.
 *
 * @throws LandfallError `invalid` when the entry became something else since it was listed, or is too large;
 *   whatever the system throws otherwise.
 */
export async function readRegularFile(path: string): Promise<FileRead> {
  // A link must not be followed and a FIFO must not block, even when one has just taken the file's place.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await readHandle(handle)
  } finally {
    await handle.close()
  }
}

async function readHandle(handle: FileHandle): Promise<FileRead> {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new LandfallError('invalid', 'not a regular file')
  if (stats.size > maxFileBytes) {
    throw new LandfallError('invalid', `larger than ${maxFileBytes} bytes: ${stats.size}`, { reason: 'too-large' })
  }
  return { bytes: await handle.readFile(), mode: (stats.mode & 0o111) === 0 ? 0o644 : 0o755 }
}
