import { constants, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { LandfallError } from '@landfall/contracts'
import type { Stat } from './entry.ts'
import { sameInode, statAt } from './entry.ts'
import { findVictim } from './find-victim.ts'
import type { HeldMount, HeldRoot } from './held.ts'
import * as libc from './libc.ts'
import type { Mount } from './mounts.ts'
import { mountsToHold, parseMountInfo } from './mounts.ts'

/** Opens a victim's root and mounts once and holds them, so that they outlive every process of the victim. */

const itself = libc.cName('')
const dot = libc.cName('.')
const openRoot = constants.O_RDONLY | constants.O_DIRECTORY | libc.flags.closeOnExec

/** Opens a directory as the root of a tree to watch, with the mounts that the mount table names below it. */
export function holdDirectory(path: string, pid: number, mounts: readonly Mount[] = []): HeldRoot | undefined {
  const fd = libc.openat(-1, libc.cName(path), openRoot)
  if (fd < 0) return undefined
  const stat = statAt(fd, itself)
  if (stat === undefined) {
    libc.close(fd)
    return undefined
  }
  // Of several at one place the last is on top.
  const overlay = mounts.findLast(({ point }) => point === '/')?.type === 'overlay'
  const root = { ...heldMount('/', fd, stat), overlay }
  const held = [root, ...mountsToHold(mounts).flatMap((mount) => holdMount(fd, mount) ?? [])]
  return {
    pid,
    mounts: held,
    points: new Set(mounts.map(({ point }) => point).filter((point) => point !== '/')),
    [Symbol.dispose]: () => {
      for (const mount of held) libc.close(mount.fd)
    },
  }
}

function heldMount(key: string, fd: number, { entry, mount }: Stat): HeldMount {
  return { key, fd, kind: entry.type === 'directory' ? 'directory' : 'file', id: mount, dev: entry.dev }
}

/** Undefined when something else is mounted over it, which is then held in its place. */
function holdMount(root: number, { id, point }: Mount): HeldMount | undefined {
  const fd = openBelow(root, point)
  if (fd === undefined) return undefined
  const stat = statAt(fd, itself)
  if (stat !== undefined && (stat.mount === 0 || stat.mount === id)) return heldMount(point, fd, stat)
  libc.close(fd)
  return undefined
}

/** A handle on `path` below `root`, component by component and never through a link. */
function openBelow(root: number, path: string): number | undefined {
  let current = libc.openat(root, dot, libc.openHandle)
  for (const name of path.split('/').filter((part) => part !== '')) {
    const next = current < 0 ? -1 : libc.openat(current, libc.cName(name), libc.openHandle)
    if (current >= 0) libc.close(current)
    current = next
  }
  return current < 0 ? undefined : current
}

/** Whether this root is the observer's own: a process that was found too early, or no victim at all. */
function isOwnRoot(held: HeldRoot): boolean {
  const own = statAt(-1, libc.cName('/'))
  const root = held.mounts[0]
  const theirs = root === undefined ? undefined : statAt(root.fd, itself)
  return own === undefined || theirs === undefined || sameInode(own.entry, theirs.entry)
}

/** Holds the victim with this mark, if it is there now. */
export function tryHoldVictim(marker: string): HeldRoot | undefined {
  for (const pid of findVictim(marker)) {
    try {
      const mounts = parseMountInfo(readFileSync(`/proc/${pid}/mountinfo`, 'latin1'))
      const held = holdDirectory(`/proc/${pid}/root`, pid, mounts)
      if (held === undefined) continue
      if (!isOwnRoot(held)) return held
      held[Symbol.dispose]()
    } catch {
      continue // It ended in between; another process of the victim may live.
    }
  }
  return undefined
}

const step = 10
const patience = 2_000

/**
 * Holds the victim with this mark, waiting up to two seconds for it.
 *
 * @throws LandfallError `unknown` when there is none.
 */
export async function holdVictim(marker: string): Promise<HeldRoot> {
  for (let waited = 0; waited <= patience; waited += step) {
    const held = tryHoldVictim(marker)
    if (held !== undefined) return held
    await sleep(step)
  }
  throw new LandfallError('unknown', `No process is marked as the victim ${marker}, or its root cannot be opened`, {
    kind: 'victim',
    name: marker,
  })
}
