import type { TarEntry } from '../archive/tar.ts'
import { tarFile } from '../archive/tar.ts'
import type { ZipEntry } from '../archive/zip.ts'
import { zipDirectory, zipFile, zipSymlink } from '../archive/zip.ts'
import type { Skill, Stamp } from './skill.ts'
import { note, skillOf } from './skill.ts'

/**
 * What the tar and the zip fixtures of one name with two types share, in the order that matters (iH4.4). A file
 * system has room for one of the two, so every reader has to choose.
 */
export type Typed =
  | { readonly kind: 'directory'; readonly name: string }
  | { readonly kind: 'symlink'; readonly name: string; readonly target: string }
  | { readonly kind: 'file'; readonly name: string; readonly content: Buffer }

const directory = (name: string): Typed => ({ kind: 'directory', name })
const symlink = (name: string, target: string): Typed => ({ kind: 'symlink', name, target })
const file = (name: string, content: Buffer): Typed => ({ kind: 'file', name, content })

export function sameNameSkill(name: string, format: string, stamp: Stamp): Skill {
  return skillOf({
    name,
    description: `Keeps a list of tasks. Comes as a ${format} archive.`,
    body: ['Add a task to the list when the user asks for it.'],
    inside: stamp('inside'),
  })
}

/**
 * A directory and a link of one name, in either order, and then a file below that name (iH4.2). Whoever
 * remembers that the directory is there does not look again at what the name has become.
 */
export function directoryAndLink(stamp: Stamp): Typed[] {
  return [
    symlink('lists', '..'),
    directory('lists'),
    file(
      'lists/landfall-link-first.txt',
      note('Written through a link that came before its directory.', stamp('link-then-directory')),
    ),
    directory('tasks'),
    symlink('tasks', '..'),
    file(
      'tasks/landfall-directory-first.txt',
      note('Written through a link that came after its directory.', stamp('directory-then-link')),
    ),
  ]
}

/** A file and a directory of one name, in either order. Each of the two that can remain has a token. */
export function fileAndDirectory(stamp: Stamp): Typed[] {
  return [
    file('open', note('A file whose name becomes a directory.', stamp('file-kept'))),
    directory('open'),
    file('open/tasks.txt', note('Stands in a directory that was a file.', stamp('file-replaced'))),
    directory('done'),
    file('done/tasks.txt', note('Stands in a directory whose name becomes a file.', stamp('directory-kept'))),
    file('done', note('A file that was a directory.', stamp('directory-replaced'))),
  ]
}

export function typedTar(entry: Typed): TarEntry {
  switch (entry.kind) {
    case 'directory':
      return { name: `${entry.name}/`, type: 'directory', mode: 0o755 }
    case 'symlink':
      return { name: entry.name, type: 'symlink', mode: 0o777, linkName: entry.target }
    case 'file':
      return tarFile(entry.name, entry.content)
  }
}

export function typedZip(entry: Typed): ZipEntry {
  switch (entry.kind) {
    case 'directory':
      return zipDirectory(entry.name)
    case 'symlink':
      return zipSymlink(entry.name, entry.target)
    case 'file':
      return zipFile(entry.name, entry.content)
  }
}
