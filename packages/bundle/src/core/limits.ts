/**
 * The format's name and its limits (skills-anywhere-bundle-1, section 4 of the fact sheet).
 *
 * Everything in this folder runs in Node and in a browser alike: nothing of Node is imported here.
 */
export const bundleSchema = 'skills-anywhere-bundle-1'

/** The file at the root that makes a directory a skill. */
export const skillMarkdown = 'SKILL.md'

const mebibyte = 1024 * 1024

export const limits = {
  files: 512,
  /** Files, directories and the root itself. */
  entries: 1024,
  /** Path segments. */
  depth: 12,
  /** UTF-8 bytes of one relative path. */
  pathBytes: 1024,
  /** Bytes of SKILL.md at the root; a nested one is an ordinary file. */
  skillMarkdownBytes: 128 * 1024,
  fileBytes: 16 * mebibyte,
  totalBytes: 32 * mebibyte,
  /** Bytes of a manifest that somebody hands us. */
  manifestBytes: mebibyte,
} as const

/** Bytes that the file at `path` may have. */
export function sizeLimitOf(path: string): number {
  return path === skillMarkdown ? limits.skillMarkdownBytes : limits.fileBytes
}
