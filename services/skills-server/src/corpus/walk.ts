import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LandfallError } from '@landfall/contracts'
import type { Notice } from './notice.ts'

/**
 * Lists the regular files of a tree that other people made, without opening or following anything.
 */
export interface Walked {
  /** Regular files, relative to the root, with forward slashes, in the order of their names. */
  readonly files: readonly string[]
  readonly notices: readonly Notice[]
}

/** Never part of a skill, and full of files: the tree's own history. */
const skipped = new Set(['.git'])

export async function walkTree(root: string): Promise<Walked> {
  const files: string[] = []
  const notices: Notice[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await entriesOf(root, folder, notices)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (folder !== '' || !skipped.has(entry.name)) folders.push(path)
      } else if (entry.isFile()) files.push(path)
      else notices.push(oddity(path, entry.isSymbolicLink()))
    }
  }
  return { files: files.toSorted(), notices }
}

async function entriesOf(root: string, folder: string, notices: Notice[]) {
  try {
    return await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    // The root itself must be readable; below it one bad folder is no reason to serve nothing.
    if (folder === '') throw error
    notices.push({ kind: 'unreadable', path: folder, detail: reasonOf(error) })
    return []
  }
}

function oddity(path: string, isLink: boolean): Notice {
  return isLink
    ? { kind: 'link', path, detail: 'a symbolic link is not followed and not served' }
    : { kind: 'special', path, detail: 'neither file nor folder, so not opened' }
}

/** The code of a system error, which unlike its message names no path of this machine. */
export function reasonOf(error: unknown): string {
  if (error instanceof LandfallError) return error.message
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : String(error)
}
