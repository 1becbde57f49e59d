import koffi from 'koffi'

/**
 * The calls of fanotify, and the form of its events: of a whole file system, with the directory, the name and the thing
 * itself in each, so that nothing has to be looked at before it is gone. `SYS_ADMIN` is needed for both calls.
 */
const libc = koffi.load(null)

export const fanotifyInit: (flags: number, eventFlags: number) => number = libc.func(
  'int fanotify_init(unsigned int flags, unsigned int event_flags)',
)
export const fanotifyMark: (fd: number, flags: number, mask: number, dir: number, path: string) => number = libc.func(
  'int fanotify_mark(int fd, unsigned int flags, uint64_t mask, int dir, const char *path)',
)
const nameToHandle: (dir: number, path: Uint8Array, handle: Uint8Array, mount: Uint8Array, flags: number) => number =
  libc.func(
    'int name_to_handle_at(int dir, const uint8_t *path, _Inout_ uint8_t *handle, _Out_ uint8_t *mount, int flags)',
  )

/** FAN_REPORT_FID, DIR_FID, NAME and TARGET_FID, a queue without a limit, not blocking. */
export const initFlags = 0x200 | 0x400 | 0x800 | 0x1000 | 0x10 | 0x2
/** FAN_MARK_ADD and FAN_MARK_FILESYSTEM. */
export const markFlags = 0x1 | 0x100

export const bits = {
  access: 0x1,
  modify: 0x2,
  attrib: 0x4,
  create: 0x100,
  delete: 0x200,
  overflow: 0x4000,
  rename: 0x1000_0000,
  isDirectory: 0x4000_0000,
} as const

export const wanted =
  bits.access | bits.modify | bits.attrib | bits.create | bits.delete | bits.rename | bits.isDirectory

/** A name (bytes in latin1) in the directory with this handle. */
export interface NameIn {
  readonly directory: string
  readonly name: string
}

export interface RawEvent {
  readonly mask: number
  readonly at?: NameIn
  /** Of a rename. */
  readonly from?: NameIn
  readonly to?: NameIn
  /** Handle of the thing itself. */
  readonly target?: string
}

const metadata = 24
const records = { target: 1, at: 2, from: 10, to: 12 } as const

/** Calls `each` for every whole event in the first `length` bytes. What does not fit in is not read. */
export function decodeEvents(bytes: Buffer, length: number, each: (event: RawEvent) => void): void {
  for (let at = 0; at + metadata <= length;) {
    const size = bytes.readUInt32LE(at)
    if (size < metadata || at + size > length) return
    const mask = bytes.readUInt32LE(at + 8)
    each({ mask, ...recordsOf(bytes.subarray(at + bytes.readUInt16LE(at + 6), at + size)) })
    at += size
  }
}

/** `u8 type, pad; u16 length; u64 file system; u32 bytes, i32 type of the handle; handle; name and NUL`, one after another. */
function recordsOf(bytes: Buffer): Omit<RawEvent, 'mask'> {
  const found: { at?: NameIn; from?: NameIn; to?: NameIn; target?: string } = {}
  for (let at = 0; at + 20 <= bytes.length;) {
    const type = bytes.readUInt8(at)
    const end = at + bytes.readUInt16LE(at + 2)
    const nameAt = at + 20 + bytes.readUInt32LE(at + 12)
    if (end > bytes.length || nameAt > end) break
    const directory = handleText(bytes.readInt32LE(at + 16), bytes.subarray(at + 20, nameAt))
    const [name = ''] = bytes.toString('latin1', nameAt, end).split('\0', 1)
    if (type === records.target) found.target = directory
    else if (type === records.at) found.at = { directory, name }
    else if (type === records.from) found.from = { directory, name }
    else if (type === records.to) found.to = { directory, name }
    if (end <= at) break
    at = end
  }
  return found
}

const handleText = (type: number, bytes: Buffer) => `${type}:${bytes.toString('hex')}`
const mostHandle = 128

/** Handle of the thing at `path` (bytes in latin1), in the form of the events. Undefined when it is gone. */
export function handleOf(path: string): string | undefined {
  const handle = Buffer.alloc(8 + mostHandle)
  handle.writeUInt32LE(mostHandle)
  if (nameToHandle(-100, Buffer.from(`${path}\0`, 'latin1'), handle, Buffer.alloc(8), 0) < 0) return undefined
  return handleText(handle.readInt32LE(4), handle.subarray(8, 8 + handle.readUInt32LE(0)))
}
