import { LandfallError } from '@landfall/contracts/errors'

/**
 * Every reason for which there is no manifest, as one word each.
 *
 * They all travel as a `LandfallError` with the code `invalid`; the word is in `data.refusal`.
 */
export const refusals = {
  // A path, of a file or of a directory.
  /** An empty segment: an empty path, a slash at either end, two in a row. */
  pathEmptySegment: 'path-empty-segment',
  /** A segment `.` or `..`. */
  pathDotSegment: 'path-dot-segment',
  /** A backslash, a colon, a control character or U+FFFD, which is what a name that is not UTF-8 becomes. */
  pathCharacter: 'path-character',
  /** Half of a surrogate pair. */
  pathSurrogate: 'path-surrogate',
  /** More than 1,024 bytes in UTF-8. */
  pathLength: 'path-length',
  /** More than 12 levels. */
  pathDepth: 'path-depth',

  // What a bundle holds, on a disk or in a manifest.
  noFiles: 'no-files',
  tooManyFiles: 'too-many-files',
  tooManyEntries: 'too-many-entries',
  fileSize: 'file-size',
  totalSize: 'total-size',
  noSkillMarkdown: 'no-skill-md',
  skillMarkdownSize: 'skill-md-size',
  skillMarkdownEncoding: 'skill-md-encoding',

  // A directory that is being read.
  rootMissing: 'root-missing',
  rootKind: 'root-kind',
  link: 'link',
  /** Neither a regular file nor a directory: FIFO, socket, device. */
  entryKind: 'entry-kind',
  /** Something below the root became something else while it was read. */
  changed: 'changed',
  /** A file gives more bytes than it had. */
  grew: 'grew',
  /** The system does not let us read it. `data.errno` says why. */
  unreadable: 'unreadable',

  // A manifest that somebody hands us.
  manifestMissing: 'manifest-missing',
  manifestKind: 'manifest-kind',
  /** It lies in the directory that it is to describe, and would describe itself. */
  manifestInside: 'manifest-inside',
  manifestSize: 'manifest-size',
  manifestEncoding: 'manifest-encoding',
  manifestJson: 'manifest-json',
  /** Not an object with exactly the four fields, each of its kind. */
  manifestFields: 'manifest-fields',
  manifestSchema: 'manifest-schema',
  /** Not an object with exactly the three fields, or a field of another kind. */
  rowFields: 'row-fields',
  rowBytes: 'row-bytes',
  rowDigest: 'row-digest',
  rowDuplicate: 'row-duplicate',
  rowOrder: 'row-order',
  /** One path is also the directory of another. */
  rowParent: 'row-parent',
  manifestTotal: 'manifest-total',
  manifestDigest: 'manifest-digest',
} as const

export type Refusal = (typeof refusals)[keyof typeof refusals]

/** Makes the error to throw. `message` starts with the cause; paths in it are to be quoted with `quotePath`. */
export function refusal(
  word: Refusal,
  message: string,
  data: Readonly<Record<string, unknown>> = {},
  options?: ErrorOptions,
): LandfallError {
  return new LandfallError('invalid', message, { refusal: word, ...data }, options)
}

/** The word of an error that this package threw; `undefined` for any other value. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof LandfallError)) return undefined
  return Object.values(refusals).find((word) => word === error.data['refusal'])
}
