import type { Session } from './session.ts'
import { listDirectory } from './wire.ts'

/** Walks what `resources/directory/read` shows of one skill (S27, S29, iS16). */
export interface WalkedDirectory {
  /** URIs of everything that is not a directory. */
  readonly files: readonly string[]
}

/** Host's own limits: nothing in the protocol keeps a directory from holding itself. */
const maxDirectories = 1_000

/** The directory that holds a SKILL.md, as its URI is written: without a closing slash. */
export function directoryOf(markdownUri: string): string {
  return markdownUri.slice(0, markdownUri.lastIndexOf('/'))
}

/** @throws RangeError when there is no end to it; whatever the request throws otherwise. */
export async function walkDirectory(session: Session, root: string): Promise<WalkedDirectory> {
  const files: string[] = []
  const open = [root]
  const seen = new Set(open)
  for (let uri = open.pop(); uri !== undefined; uri = open.pop()) {
    for (const child of await listDirectory(session, uri)) {
      if (child.mimeType !== 'inode/directory') files.push(child.uri)
      else if (!seen.has(child.uri)) {
        open.push(child.uri)
        seen.add(child.uri)
      }
    }
    if (seen.size > maxDirectories) throw new RangeError(`More than ${maxDirectories} directories in ${root}`)
  }
  return { files }
}
