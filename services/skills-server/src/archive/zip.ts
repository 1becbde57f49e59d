import { constants, crc32, deflateRawSync } from 'node:zlib'

/**
 * ZIP, written record by record (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16), for hostile archives.
 *
 * Names go in as given. Entries are stored unless asked otherwise, so that the bytes do not depend on the
 * version of a compression library. The three kinds of records are exported one by one for archives whose
 * records contradict each other.
 */
export interface ZipEntry {
  /** Written as it is, whatever it says. */
  readonly name: string
  /** The whole Unix mode, file type included: 0o100644, 0o120777. */
  readonly mode: number
  readonly content: Buffer
  readonly method?: ZipMethod
  /** Name in the local header, where the central directory is to say another. */
  readonly localName?: string
  /** Extra field of both headers. */
  readonly extra?: Buffer
}

export const zipModes = { file: 0o100644, directory: 0o040755, symlink: 0o120777 } as const

/** Shorthand for the usual entry: a regular file of mode 0644. */
export function zipFile(name: string, content: Buffer): ZipEntry {
  return { name, mode: zipModes.file, content }
}

/** A symbolic link as zip tools write it: the mode says link and the content is the target. */
export function zipSymlink(name: string, target: string): ZipEntry {
  return { name, mode: zipModes.symlink, content: Buffer.from(target, 'utf8') }
}

/** A directory: a name with a closing slash and no content. */
export function zipDirectory(name: string): ZipEntry {
  return { name: `${name}/`, mode: zipModes.directory, content: Buffer.alloc(0) }
}

/** `unknown` is a number that stands for no method: the content is there as it is, and no reader may take it. */
export type ZipMethod = keyof typeof methods
const methods = { stored: 0, deflated: 8, unknown: 255 } as const

const versionNeeded = 20
/** Upper byte 3: Unix, which is what gives the external attributes their meaning. */
const versionMadeBy = (3 << 8) | versionNeeded
/** 1980-01-01 00:00, the earliest time the format knows. */
const dosTime = 0
const dosDate = 0x0021
/** General purpose bit 11: the name is UTF-8. Set only where it matters. */
const utf8Flag = 0x0800

/** A whole archive with its entries in the order given. */
export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const locals = entries.map(zipLocal)
  const directory: Buffer[] = []
  let offset = 0
  for (const [position, entry] of entries.entries()) {
    directory.push(zipCentral(entry, offset))
    offset += locals[position]?.length ?? 0
  }
  return Buffer.concat([...locals, zipDirectoryOf(directory, offset)])
}

/** Central directory and end record. `offset` is what the end record states as the beginning of the directory. */
export function zipDirectoryOf(centrals: readonly Buffer[], offset: number, comment: Buffer = Buffer.alloc(0)): Buffer {
  const directory = Buffer.concat(centrals)
  return Buffer.concat([directory, zipEnd({ count: centrals.length, size: directory.length, offset, comment })])
}

/** Local header and content of one entry. */
export function zipLocal(entry: ZipEntry): Buffer {
  const name = entry.localName ?? entry.name
  const extra = entry.extra ?? Buffer.alloc(0)
  return Buffer.concat([
    signature(0x04034b50),
    uint16(versionNeeded),
    sharedFields(entry, name),
    uint16(extra.length),
    Buffer.from(name, 'utf8'),
    extra,
    bodyOf(entry),
  ])
}

/** Header of one entry in the central directory, for a local header at `offset`. */
export function zipCentral(entry: ZipEntry, offset: number): Buffer {
  const extra = entry.extra ?? Buffer.alloc(0)
  return Buffer.concat([
    signature(0x02014b50),
    uint16(versionMadeBy),
    uint16(versionNeeded),
    sharedFields(entry, entry.name),
    uint16(extra.length),
    uint16(0), // comment
    uint16(0), // disk
    uint16(0), // internal attributes
    uint32(entry.mode * 0x10000), // external attributes: the mode in the upper half
    uint32(offset),
    Buffer.from(entry.name, 'utf8'),
    extra,
  ])
}

export interface ZipEnd {
  /** Entries in the central directory. */
  readonly count: number
  /** Bytes of the central directory. */
  readonly size: number
  readonly offset: number
  readonly comment: Buffer
  /** Stated instead of the comment's true length. */
  readonly commentLength?: number
}

/** The record that readers look for first, from the end. */
export function zipEnd({ count, size, offset, comment, commentLength = comment.length }: ZipEnd): Buffer {
  return Buffer.concat([
    signature(0x06054b50),
    uint16(0),
    uint16(0),
    uint16(count),
    uint16(count),
    uint32(size),
    uint32(offset),
    uint16(commentLength),
    comment,
  ])
}

/** Info-ZIP's extra field 0x7075: the name that counts instead of `name`, if the reader knows the field. */
export function unicodePath(name: string, unicodeName: string): Buffer {
  const text = Buffer.from(unicodeName, 'utf8')
  return Buffer.concat([
    uint16(0x7075),
    uint16(1 + 4 + text.length),
    Buffer.from([1]),
    uint32(crc32(Buffer.from(name, 'utf8'))),
    text,
  ])
}

/** Flags to name length: the run of fields that local and central headers have in common. */
function sharedFields(entry: ZipEntry, nameText: string): Buffer {
  const name = Buffer.from(nameText, 'utf8')
  return Buffer.concat([
    uint16(name.length === nameText.length ? 0 : utf8Flag),
    uint16(methods[entry.method ?? 'stored']),
    uint16(dosTime),
    uint16(dosDate),
    uint32(crc32(entry.content)),
    uint32(bodyOf(entry).length),
    uint32(entry.content.length),
    uint16(name.length),
  ])
}

function bodyOf({ method, content }: ZipEntry): Buffer {
  return method === 'deflated' ? deflateRawSync(content, { level: 9, strategy: constants.Z_FIXED }) : content
}

const signature = uint32

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
