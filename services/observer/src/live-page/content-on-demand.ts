import { constants, readSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts'
import { sameInode, statAt } from '../entry.ts'
import type { HeldMount, HeldRoot } from '../held.ts'
import * as libc from '../libc.ts'

/**
 * Reads the first bytes of one file of a living victim for a person who asks to see it. Careful like the walk:
 * through held descriptors, component by component, never through a link, nothing opened before it was stated.
 */

export interface ReadBytes {
  readonly bytes: Buffer
  /** Of the whole file. */
  readonly size: number
}

const itself = libc.cName('')
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | libc.flags.closeOnExec

/**
 * The first `most` bytes of the regular file at `key` (path bytes in latin1).
 *
 * @throws LandfallError `unknown` when there is no such file now, or it is no regular file.
 */
export function readFileAt(held: HeldRoot, key: string, most: number): ReadBytes {
  using stack = new DisposableStack()
  const handle = walkTo(held, key, stack)
  const stated = handle === undefined ? undefined : statAt(handle, itself)?.entry
  if (handle === undefined || stated?.type !== 'file') throw noFile()
  // The magic link of one's own descriptor leads to the held inode and nowhere else.
  const fd = libc.openat(-1, libc.cName(`/proc/self/fd/${handle}`), readFlags & ~constants.O_NOFOLLOW)
  if (fd < 0) throw noFile()
  stack.defer(() => libc.close(fd))
  const opened = statAt(fd, itself)?.entry
  if (opened === undefined || !sameInode(opened, stated)) throw noFile()
  const buffer = Buffer.alloc(Math.min(most, opened.size))
  let filled = 0
  while (filled < buffer.length) {
    const read = readSync(fd, buffer, filled, buffer.length - filled, filled)
    if (read === 0) break
    filled += read
  }
  return { bytes: buffer.subarray(0, filled), size: opened.size }
}

/** A handle on what stands at `key`, in the mount that holds it. */
function walkTo(held: HeldRoot, key: string, stack: DisposableStack): number | undefined {
  const mount = mountOf(held, key)
  if (mount === undefined) return undefined
  const rest = key.slice(mount.key.length).split('/')
  let current = mount.fd
  for (const name of rest.filter((part) => part !== '')) {
    if (name === '.' || name === '..') return undefined
    const next = libc.openat(current, libc.cName(name), libc.openHandle)
    if (next < 0) return undefined
    stack.defer(() => libc.close(next))
    current = next
  }
  return current
}

/** Undefined when the path lies in a mount that is not held. */
function mountOf({ mounts, points }: HeldRoot, key: string): HeldMount | undefined {
  const above = (point: string): boolean => point === '/' || key === point || key.startsWith(`${point}/`)
  const point = ['/', ...points].filter(above).reduce((a, b) => (b.length > a.length ? b : a))
  return mounts.find((mount) => mount.key === point)
}

function noFile(): LandfallError {
  return new LandfallError('unknown', 'There is no such file in the victim now', { kind: 'file', name: 'content' })
}
