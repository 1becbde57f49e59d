import { statfsSync } from 'node:fs'
import type { HeldRoot } from '../held.ts'
import type { TmpfsUse } from './process-table.ts'

/**
 * What a victim's own tmpfs mounts hold now, asked through the held descriptors.
 *
 * Exact, since no other container shares them. Of the victim's disk the kernel tells only what all containers
 * use together, which says nothing about one, so it is not asked.
 */

const tmpfsMagic = 0x0102_1994

export type AskTmpfs = () => TmpfsUse | undefined

/** Answers a question that can be asked again and again; it answers undefined when no tmpfs is held. */
export function tmpfsUse(held: HeldRoot): AskTmpfs {
  // One file system may be mounted twice, and a single file on one is somebody else's.
  const directories = held.mounts.filter(({ kind }) => kind === 'directory')
  const paths = [...new Map(directories.map(({ dev, fd }) => [dev, `/proc/self/fd/${fd}`])).values()].filter(
    (path) => statfsSync(path).type === tmpfsMagic,
  )
  return () => {
    if (paths.length === 0) return undefined
    const sum = { bytes: 0, inodes: 0 }
    for (const path of paths) {
      const { bsize, blocks, bfree, files, ffree } = statfsSync(path)
      sum.bytes += (blocks - bfree) * bsize
      sum.inodes += files - ffree
    }
    return sum
  }
}
