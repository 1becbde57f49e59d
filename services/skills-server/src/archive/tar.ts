import { LandfallError } from '@landfall/contracts'

/**
 * POSIX ustar, written header by header, so that every byte of a hostile archive can be read in this file.
 *
 * It decides nothing about safety: any name, type, link and mode goes in as given. Honest archives are not
 * made here but by a library (`honest.ts`).
 */
const blockSize = 512

/** Type flags that fixtures use: those of ustar, the two of pax, and the long name of GNU. */
export const tarTypes = {
  file: '0',
  hardLink: '1',
  symlink: '2',
  directory: '5',
  fifo: '6',
  pax: 'x',
  globalPax: 'g',
  longName: 'L',
} as const
export type TarType = keyof typeof tarTypes

export interface TarMember {
  /** Written as it is, whatever it says. At most 100 bytes: no extension header is ever added. */
  readonly name: string
  readonly type: TarType
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number
  /** Target of a link, relative to the extraction root for a hard link and to the link itself for a symbolic one. */
  readonly linkName?: string
  /** Bytes of content that the header states. */
  readonly size: number
  /** Stated instead of the true sum of the header's bytes. */
  readonly checksum?: number
}

export interface TarEntry extends Omit<TarMember, 'size'> {
  readonly content?: Buffer
  /** Stated instead of the content's true size. */
  readonly size?: number
}

/** Shorthand for the usual entry: a regular file of mode 0644. */
export function tarFile(name: string, content: Buffer, mode = 0o644): TarEntry {
  return { name, type: 'file', mode, content }
}

/**
 * One header block of 512 bytes.
 *
 * Owner is 0:0 so that an extractor that runs as root without capabilities need not change owners, and the
 * time is the epoch so that the same payload always gives the same bytes.
 *
 * @throws LandfallError `invalid` when a name or link does not fit into its field.
 */
export function tarHeader(member: TarMember): Buffer {
  const block = Buffer.alloc(blockSize)
  putText(block, 0, 100, member.name)
  putOctal(block, 100, 8, member.mode)
  putOctal(block, 108, 8, 0)
  putOctal(block, 116, 8, 0)
  putOctal(block, 124, 12, member.size)
  putOctal(block, 136, 12, 0)
  block.fill(' ', 148, 156)
  block.write(tarTypes[member.type], 156, 'latin1')
  putText(block, 157, 100, member.linkName ?? '')
  block.write('ustar\x0000', 257, 'latin1')
  const sum = member.checksum ?? block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Zeros that fill the last block of `size` bytes of content. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize)
}

/** Header, content and padding of one entry. */
export function tarEntry({ content = Buffer.alloc(0), size = content.length, ...member }: TarEntry): Buffer {
  return Buffer.concat([tarHeader({ ...member, size }), content, tarPadding(content.length)])
}

/** The two zero blocks that end an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockSize)

/** A whole archive with its entries in the order given. */
export function tarArchive(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.map(tarEntry), tarEnd])
}

function putText(block: Buffer, offset: number, width: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > width) {
    throw new LandfallError('invalid', `tar field of ${width} bytes cannot hold ${bytes.length} bytes: ${text}`)
  }
  bytes.copy(block, offset)
}

/** Octal digits with a closing NUL, the form that every reader understands. */
function putOctal(block: Buffer, offset: number, width: number, value: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, offset, 'latin1')
}
