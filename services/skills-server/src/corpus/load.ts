import { realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LandfallError } from '@landfall/contracts'
import { sha256 } from '../catalogue/digest.ts'
import type { Frontmatter } from '../catalogue/served.ts'
import { parseFrontmatter } from './frontmatter.ts'
import { enclosing, parentOf, pathsOf } from './naming.ts'
import type { Notice } from './notice.ts'
import type { FileRead } from './read-file.ts'
import { readRegularFile } from './read-file.ts'
import { reasonOf, walkTree } from './walk.ts'

/**
 * Loads any tree of skills that other people wrote (`SKILLS_ROOT`), once, into memory.
 *
 * Every file of a skill is read once, hashed once, and kept once, also where several files are the same. What
 * cannot be served is left out and told; only a root that cannot be read at all is an error.
 */
export interface LoadedFile extends FileRead {
  /** Relative to the skill's folder, with forward slashes. */
  readonly path: string
}

export interface LoadedSkill {
  /** Relative to the root. Need not be the skill's name. */
  readonly folder: string
  /** Where it is served: the part of its URI between `skill://` and its files. */
  readonly path: string
  readonly frontmatter: Frontmatter
  /** SKILL.md first, then by name. Without those of skills inside it, which are skills of their own. */
  readonly files: readonly LoadedFile[]
}

export interface LoadedTree {
  /** By their paths. */
  readonly skills: readonly LoadedSkill[]
  readonly notices: readonly Notice[]
}

const markdownName = 'SKILL.md'
/** Says what a skill of our own corpus is about, and would spoil it. */
const neverServed = 'EXPLANATION.md'

/** Files that are open at the same time. */
const atOnce = 16

interface Found {
  readonly folder: string
  readonly name: string
  readonly frontmatter: Frontmatter
  readonly markdown: FileRead
}

/** @throws LandfallError `usage` when the root cannot be read. */
export async function loadTree(root: string): Promise<LoadedTree> {
  const { real, files, notices: walked } = await walkRoot(root)
  const reader = new Reader(real, [...walked])
  const found = await findSkills(files, reader)
  const paths = pathsOf(found)
  for (const { folder, name } of found) {
    if (!paths.has(folder)) reader.note('clash', folder, `the place of another skill named ${name} is the same`)
  }
  const placed = new Map(found.filter(({ folder }) => paths.has(folder)).map((each) => [each.folder, each]))
  const folders = new Set(placed.keys())
  const owned = Map.groupBy(files, (file) => enclosing(file, folders))
  const skills: LoadedSkill[] = []
  for (const [folder, { frontmatter, markdown }] of placed) {
    const rest = await reader.filesOf(folder, owned.get(folder) ?? [])
    const path = paths.get(folder) ?? folder
    skills.push({ folder, path, frontmatter, files: [{ path: markdownName, ...markdown }, ...rest] })
  }
  return { skills: skills.toSorted((a, b) => (a.path < b.path ? -1 : 1)), notices: reader.notices }
}

async function walkRoot(root: string) {
  try {
    // That the root itself is a link is the wish of whoever named it.
    const real = await realpath(root)
    return { real, ...(await walkTree(real)) }
  } catch (cause) {
    throw new LandfallError('usage', `Skills cannot be read (${reasonOf(cause)}): ${root}`, { root }, { cause })
  }
}

async function findSkills(files: readonly string[], reader: Reader): Promise<Found[]> {
  const found: Found[] = []
  for (const path of files.filter((file) => file === markdownName || file.endsWith(`/${markdownName}`))) {
    const markdown = await reader.read(path)
    if (markdown === undefined) continue
    try {
      const frontmatter = parseFrontmatter(markdown.bytes)
      found.push({ folder: parentOf(path), name: frontmatter.name, frontmatter, markdown })
    } catch (error) {
      reader.note('invalid', path, reasonOf(error))
    }
  }
  return found
}

/** Reads files, each at most once, and remembers what was wrong. */
class Reader {
  readonly notices: Notice[]
  readonly #root: string
  readonly #read = new Map<string, FileRead | undefined>()
  readonly #kept = new Map<string, Buffer>()

  constructor(root: string, notices: Notice[]) {
    this.#root = root
    this.notices = notices
  }

  note(kind: Notice['kind'], path: string, detail: string): void {
    this.notices.push({ kind, path, detail })
  }

  async filesOf(folder: string, paths: readonly string[]): Promise<LoadedFile[]> {
    const inside = (path: string) => (folder === '' ? path : path.slice(folder.length + 1))
    const wanted = paths.filter((path) => inside(path) !== markdownName && basename(path) !== neverServed)
    const files: LoadedFile[] = []
    for (let at = 0; at < wanted.length; at += atOnce) {
      const reads = await Promise.all(
        wanted.slice(at, at + atOnce).map(async (path) => ({ path: inside(path), read: await this.read(path) })),
      )
      for (const { path, read } of reads) if (read !== undefined) files.push({ path, ...read })
    }
    return files
  }

  async read(path: string): Promise<FileRead | undefined> {
    // A SKILL.md that is none is an ordinary file of the skill around it, and has been read already.
    if (this.#read.has(path)) return this.#read.get(path)
    const read = await this.#readOnce(path)
    this.#read.set(path, read)
    return read
  }

  async #readOnce(path: string): Promise<FileRead | undefined> {
    try {
      const { bytes, mode } = await readRegularFile(join(this.#root, path))
      return { bytes: this.#keep(bytes), mode }
    } catch (error) {
      const tooLarge = error instanceof LandfallError && error.data['reason'] === 'too-large'
      this.note(tooLarge ? 'too-large' : 'unreadable', path, reasonOf(error))
      return undefined
    }
  }

  /** The same content is kept once, however often it occurs. */
  #keep(bytes: Buffer): Buffer {
    const digest = sha256(bytes)
    const known = this.#kept.get(digest)
    if (known !== undefined) return known
    this.#kept.set(digest, bytes)
    return bytes
  }
}
