import { posix } from 'node:path'
import type { ArchiveEntry } from '../archive/entry.ts'
import type { Guard, Rule } from '../rule.ts'
import { collisions, sameName } from './collisions.ts'

/** What an archive may hold, in the order of the fact sheet (iH4), and what no text asks for. */

export const paths: Rule = {
  id: 'iH4.1',
  clauses: ['iS12'],
  says: 'No path climbs or is absolute, with either separator, or names a drive.',
}

export const links: Rule = { id: 'iH4.2', clauses: [], says: 'No link leads out of the directory of the skill.' }

export const types: Rule = { id: 'iH4.3', clauses: [], says: 'Only regular files, directories and symbolic links.' }

export const modes: Rule = { id: 'iH4.5', clauses: [], says: 'No setuid, setgid or sticky bit is kept.' }

export const sizes: Rule = {
  id: 'iH4.6',
  clauses: [],
  says: 'An archive unpacks to at most 50 MiB, 4,096 entries and 32 levels.',
}

export const oneReading: Rule = {
  id: 'one-reading',
  clauses: [],
  says: 'An archive that readers could understand in two ways is refused.',
}

export const visibleNames: Rule = {
  id: 'visible-names',
  clauses: [],
  says: 'A name with control or direction characters is left out.',
}

export const noConfiguration: Rule = {
  id: 'no-configuration',
  clauses: [],
  says: 'Files that configure an agent, git or a package manager by their place are left out.',
}

export const archiveCaps = { bytes: 50 * 1024 * 1024, entries: 4096, depth: 32 } as const

/** @returns the entries to write. @throws Refusal for an archive that is not to be unpacked at all. */
export function checkEntries(guard: Guard, entries: readonly ArchiveEntry[]): ArchiveEntry[] {
  guard.hold(sizes, entries.length <= archiveCaps.entries, `the archive has ${entries.length} entries`)
  for (const entry of entries) {
    const { path, type } = entry
    guard.hold(paths, isRelative(path), `the path ${JSON.stringify(path)} leads elsewhere`, { path })
    guard.hold(sizes, path.split('/').length <= archiveCaps.depth, 'a path is too deep', { path })
    guard.hold(
      types,
      type !== 'other' && type !== 'fifo',
      `${JSON.stringify(path)} is none of file, directory and link`,
      { path },
    )
    guard.hold(links, staysInside(entry), `the link ${JSON.stringify(path)} leads out of the skill`, { path })
  }
  const twins = collisions(
    entries.map(({ path, type }) => (type === 'directory' ? `${path.replace(/\/+$/, '')}/` : path)),
  )
  guard.hold(sameName, twins.length === 0, `names that are one on some file systems: ${twins.join(', ')}`)
  return entries.filter((entry) => isWanted(guard, entry)).map((entry) => withoutBits(guard, entry))
}

function isRelative(path: string): boolean {
  const parts = path.split(/[/\\]/)
  return !/^([/\\]|[A-Za-z]:)/.test(path) && !parts.includes('..') && !path.includes('\\')
}

function staysInside({ type, path, target = '' }: ArchiveEntry): boolean {
  if (type !== 'symlink' && type !== 'link') return true
  // A hard link counts from the root of the archive, a symbolic one from where it stands.
  const from = type === 'link' ? '' : posix.dirname(path)
  const resolved = posix.normalize(posix.join(from, target))
  return target !== '' && isRelative(resolved) && !target.startsWith('/') && !target.includes('\\')
}

/** C0 and DEL, and what turns the direction of text. */
const unseen = /[\p{Cc}\p{Bidi_Control}]/u
const configuration = /^(\.claude|\.git|\.agents|\.codex|\.gemini|node_modules)\/|^(\.mcp\.json|\.npmrc|\.gitmodules)$/

function isWanted(guard: Guard, { path }: ArchiveEntry): boolean {
  if (unseen.test(path) && guard.on(visibleNames)) {
    guard.changed(visibleNames, `left out ${JSON.stringify(path)}`)
    return false
  }
  if (configuration.test(path) && guard.on(noConfiguration)) {
    guard.changed(noConfiguration, `left out ${path}`)
    return false
  }
  return true
}

function withoutBits(guard: Guard, entry: ArchiveEntry): ArchiveEntry {
  if ((entry.mode & 0o7000) === 0 || !guard.on(modes)) return entry
  guard.changed(modes, `cleared special bits of ${entry.path}`)
  return { ...entry, mode: entry.mode & 0o777 }
}
