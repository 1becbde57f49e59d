import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { ServerFault } from '../mcp/answer.ts'
import { field } from '../reference/field.ts'
import type { Session } from '../reference/session.ts'
import { type Offer, readResource } from './offers.ts'

/**
 * One delivery of a skill: everything that the server has of it, written below a folder the way a host does that joins
 * paths and trusts them. Made for victims: what climbs out, climbs out.
 */

/** Bounds of a walk, so that a server which lists without end is left in the end. */
const mostFolders = 64
const mostFiles = 2048

const unpackLimitMs = 60_000

/** The delivery could not be put on disk: what a real tool ends with an exit code for. */
export class NotDelivered extends Error {}

/**
 * @param folder is made, and must not be there.
 * @throws NotDelivered; ServerFault when not one file can be read; NoAnswer when the connection is lost.
 */
export async function deliver(session: Session, offer: Offer, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  if (offer.archive !== undefined) {
    unpack(await readResource(session, offer.archive.uri), offer.archive.format, folder)
    return
  }
  const files = await filesOf(session, offer)
  let written = 0
  for (const uri of files) {
    const bytes = await readIfServed(session, uri)
    if (bytes === undefined) continue
    onDisk(() => {
      const path = `${folder}/${pathOf(offer, uri)}`
      mkdirSync(posix.dirname(path), { recursive: true })
      writeFileSync(path, bytes)
    })
    written += 1
  }
  if (written === 0) throw new ServerFault(`no file of ${offer.uri} can be read`)
}

/** SKILL.md, what the entry states, and what a walk of the directory shows: to pin a bundle takes all of it (against H19). */
async function filesOf(session: Session, { uri, stated }: Offer): Promise<Set<string>> {
  const files = new Set([uri, ...stated])
  if (session.capability?.directoryRead !== true) return files
  const folders = [uri.slice(0, uri.lastIndexOf('/'))]
  for (let walked = 0; folders.length > 0 && walked < mostFolders; walked += 1) {
    for (const child of await childrenOf(session, folders.shift() ?? '')) {
      const [name, mimeType] = [field(child, 'uri'), field(child, 'mimeType')]
      if (typeof name !== 'string' || files.size >= mostFiles) continue
      if (mimeType === 'inode/directory') folders.push(name)
      else files.add(name)
    }
  }
  return files
}

async function childrenOf(session: Session, uri: string): Promise<readonly unknown[]> {
  try {
    const { resources } = await session.request('resources/directory/read', { uri })
    const children: readonly unknown[] = Array.isArray(resources) ? resources : []
    return children
  } catch (error) {
    if (error instanceof ServerFault) return []
    throw error
  }
}

async function readIfServed(session: Session, uri: string): Promise<Buffer | undefined> {
  try {
    return await readResource(session, uri)
  } catch (error) {
    if (error instanceof ServerFault) return undefined
    throw error
  }
}

function pathOf({ uri: skill }: Offer, uri: string): string {
  // The entry's own URI is its SKILL.md, whatever the last segment is.
  if (uri === skill) return 'SKILL.md'
  const root = skill.slice(0, skill.lastIndexOf('/') + 1)
  const rest = uri.startsWith(root) ? uri.slice(root.length) : (uri.split('/').at(-1) ?? '')
  try {
    return decodeURIComponent(rest)
  } catch {
    return rest
  }
}

/** With the system's own tools, as the hosts `gnu-tar` and `unzip` do, so that the rows can be held against each other. */
function unpack(bytes: Buffer, format: 'tar.gz' | 'zip', folder: string): void {
  const archive = `${posix.dirname(folder)}/archive`
  writeFileSync(archive, bytes)
  const [tool, args] =
    format === 'zip' ? ['unzip', ['-o', '-q', archive, '-d', folder]] : ['tar', ['-xzf', archive, '-C', folder]]
  const { status, error } = spawnSync(tool, args, { stdio: 'ignore', timeout: unpackLimitMs })
  rmSync(archive)
  // A tool that is missing or hangs is no decision of this host.
  if (error !== undefined) throw error
  if (status !== 0) throw new NotDelivered(`${tool} ended with exit code ${String(status)}`)
}

/** What a name can do to a file system; everything else, a full disk among it, is no decision about a skill. */
const ofNames = new Set(['EACCES', 'EEXIST', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENOTDIR', 'ENOTEMPTY', 'EPERM'])

/** @throws NotDelivered for a path that cannot be. */
export function onDisk<T>(step: () => T): T {
  try {
    return step()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (!ofNames.has(code) && code !== 'ERR_INVALID_ARG_VALUE') throw cause
    throw new NotDelivered(`a path cannot be written (${code})`, { cause })
  }
}
