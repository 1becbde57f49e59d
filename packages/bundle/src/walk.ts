import { lstatSync, opendirSync } from 'node:fs'
import { comparePaths, limits, quotePath, refusal, refusals, Tally } from './core/index.ts'
import { HeldDirectory } from './held-directory.ts'
import type { FileId, Identity } from './identity.ts'
import { identityOf, isSame, isSameFile } from './identity.ts'
import { changed, onEntry } from './system-errors.ts'

/** Looks at every entry below a directory without opening a file, and refuses what no bundle may hold. */
export interface PlannedFile {
  readonly name: string
  /** Relative to the root. */
  readonly path: string
  readonly identity: Identity
}

export interface PlannedDirectory extends PlannedFile {
  readonly files: readonly PlannedFile[]
  readonly directories: readonly PlannedDirectory[]
}

export interface WalkOptions {
  /** Files that must not be part of the bundle: those that are to hold, or held, its manifest. */
  readonly outside: readonly FileId[]
  readonly onDirectory: (path: string) => void
}

/** @param root its real path. @throws LandfallError: every refusal of entries, paths and limits. */
export function walk(root: string, options: WalkOptions): PlannedDirectory {
  const tally = new Tally()
  const identity = onEntry('', () => identityOf(lstatSync(root, { bigint: true })))
  const plan = walkDirectory({ name: '', path: '', identity }, root, tally, options)
  tally.end()
  return plan
}

function walkDirectory(known: PlannedFile, place: string, tally: Tally, options: WalkOptions): PlannedDirectory {
  options.onDirectory(known.path)
  using held = onEntry(known.path, () => new HeldDirectory(place))
  if (!isSame(held.identity, known.identity)) throw changed(known.path)
  const files: PlannedFile[] = []
  const directories: PlannedDirectory[] = []
  for (const name of namesIn(held, known.path, tally)) {
    const path = below(known.path, name)
    const stats = onEntry(path, () => lstatSync(held.at(name), { bigint: true }))
    const entry = { name, path, identity: identityOf(stats) }
    if (stats.isDirectory()) directories.push(walkDirectory(entry, held.at(name), tally, options))
    else if (stats.isFile()) files.push(countFile(entry, tally, options))
    else throw unsupported(path, stats.isSymbolicLink())
  }
  return { ...known, files, directories }
}

/** Sorted, so that the same tree is always refused for the same entry. Stops reading where the limit is. */
function namesIn(held: HeldDirectory, path: string, tally: Tally): string[] {
  return onEntry(path, () => {
    using listing = opendirSync(held.listing, { bufferSize: limits.entries })
    const names: string[] = []
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      tally.visit(below(path, entry.name))
      names.push(entry.name)
    }
    return names.toSorted(comparePaths)
  })
}

function countFile(file: PlannedFile, tally: Tally, { outside }: WalkOptions): PlannedFile {
  if (outside.some((id) => isSameFile(id, file.identity))) {
    const message = `The manifest must lie outside the skill directory, and is ${quotePath(file.path)} in it`
    throw refusal(refusals.manifestInside, message, { path: file.path })
  }
  tally.file(file.path, Number(file.identity.size))
  return file
}

function unsupported(path: string, isLink: boolean): Error {
  return isLink
    ? refusal(refusals.link, `Symbolic links are not supported: ${quotePath(path)}`, { path })
    : refusal(refusals.entryKind, `Only regular files are supported, and this is none: ${quotePath(path)}`, { path })
}

function below(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}
