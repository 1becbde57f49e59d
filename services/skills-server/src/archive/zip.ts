import { crc32, deflateRawSync } from 'node:zlib'

/**
 * ZIP, written record by record (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16), for hostile archives.
 *
 * Names go in as given. Entries are stored unless asked otherwise, so that the bytes do not depend on the
 * version of a compression library.
 */
export interface ZipEntry {
  /** Written as it is, whatever it says. */
  readonly name: string
  /** The whole Unix mode, file type included: 0o100644, 0o120777. */
  readonly mode: number
  readonly content: Buffer
  readonly method?: 'stored' | 'deflated'
}

export const zipModes = { file: 0o100644, symlink: 0o120777 } as const

/** Shorthand for the usual entry: a regular file of mode 0644. */
export function zipFile(name: string, content: Buffer): ZipEntry {
  return { name, mode: zipModes.file, content }
}

/** A symbolic link as zip tools write it: the mode says link and the content is the target. */
export function zipSymlink(name: string, target: string): ZipEntry {
  return { name, mode: zipModes.symlink, content: Buffer.from(target, 'utf8') }
}

const methods = { stored: 0, deflated: 8 } as const
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
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const shared = sharedFields(entry)
    const local = Buffer.concat([
      signature(0x04034b50),
      uint16(versionNeeded),
      shared.fields,
      uint16(0),
      shared.name,
      shared.body,
    ])
    centrals.push(
      Buffer.concat([
        signature(0x02014b50),
        uint16(versionMadeBy),
        uint16(versionNeeded),
        shared.fields,
        uint16(0), // extra field
        uint16(0), // comment
        uint16(0), // disk
        uint16(0), // internal attributes
        uint32(entry.mode * 0x10000), // external attributes: the mode in the upper half
        uint32(offset),
        shared.name,
      ]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const count = uint16(entries.length)
  return Buffer.concat([
    ...locals,
    directory,
    signature(0x06054b50),
    uint16(0),
    uint16(0),
    count,
    count,
    uint32(directory.length),
    uint32(offset),
    uint16(0),
  ])
}

/** Flags to name length: the run of fields that local and central headers have in common. */
function sharedFields(entry: ZipEntry): { fields: Buffer; name: Buffer; body: Buffer } {
  const method = entry.method ?? 'stored'
  const name = Buffer.from(entry.name, 'utf8')
  const body = method === 'deflated' ? deflateRawSync(entry.content, { level: 9 }) : entry.content
  const flags = name.length === entry.name.length ? 0 : utf8Flag
  const fields = Buffer.concat([
    uint16(flags),
    uint16(methods[method]),
    uint16(dosTime),
    uint16(dosDate),
    uint32(crc32(entry.content)),
    uint32(body.length),
    uint32(entry.content.length),
    uint16(name.length),
  ])
  return { fields, name, body }
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
