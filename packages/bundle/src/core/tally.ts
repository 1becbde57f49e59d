import { limits, sizeLimitOf, skillMarkdown } from './limits.ts'
import { checkPath } from './path.ts'
import { quotePath } from './quote.ts'
import { refusal, refusals } from './refusals.ts'

/**
 * Counts what is met while a directory is walked, or a list of files is gone through, and refuses as soon as
 * a limit is passed (section 4): before anything is read, and before an endless directory has been listed.
 */
export class Tally {
  /** The root counts. */
  #entries = 1
  #files = 0
  #bytes = 0
  #hasSkillMarkdown = false

  /** One entry, of whatever kind. @throws LandfallError `path-...`, `too-many-entries`. */
  visit(path: string): void {
    this.#entries += 1
    if (this.#entries > limits.entries) {
      throw refusal(refusals.tooManyEntries, `More than ${limits.entries} entries, the directory itself included`)
    }
    checkPath(path)
  }

  /**
   * One regular file that has been visited, or one row of a manifest.
   *
   * @throws LandfallError `too-many-files`, `file-size`, `skill-md-size`, `total-size`.
   */
  file(path: string, bytes: number): void {
    this.#files += 1
    this.#bytes += bytes
    if (this.#files > limits.files) {
      throw refusal(refusals.tooManyFiles, `More than ${limits.files} files; a bundle has 1 to ${limits.files}`)
    }
    checkSize(path, bytes)
    if (this.#bytes > limits.totalBytes) {
      throw refusal(refusals.totalSize, `More than 32 MiB altogether, with ${quotePath(path)}`, { path })
    }
    this.#hasSkillMarkdown ||= path === skillMarkdown
  }

  /** Nothing more will come. @throws LandfallError `no-files`, `no-skill-md`. @returns bytes of all files. */
  end(): number {
    if (this.#files === 0) throw refusal(refusals.noFiles, `No file: a bundle has 1 to ${limits.files}`)
    if (!this.#hasSkillMarkdown) throw refusal(refusals.noSkillMarkdown, 'No SKILL.md at the root of the bundle')
    return this.#bytes
  }
}

function checkSize(path: string, bytes: number): void {
  if (bytes <= sizeLimitOf(path)) return
  if (path === skillMarkdown) {
    throw refusal(refusals.skillMarkdownSize, 'SKILL.md has more than 128 KiB', { path, bytes })
  }
  throw refusal(refusals.fileSize, `More than 16 MiB in the file ${quotePath(path)}`, { path, bytes })
}
