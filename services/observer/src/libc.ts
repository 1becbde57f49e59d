import { constants } from 'node:fs'
import koffi from 'koffi'

/**
 * The few calls of the C library that Node does not offer: everything relative to a directory descriptor,
 * `waitpid` for a PID 1, looking for data in sparse files, and extended attributes.
 *
 * Node can imitate `openat` with `/proc/self/fd/<n>/<name>`, at twice the time of these calls (measured:
 * 5,730 entries in 63 ms against 31 ms; plain path strings 39 ms).
 * Names are bytes that end in a NUL. A negative answer is an error; {@link errorName} says which.
 */
const libc = koffi.load(null)

type Call<A extends unknown[], R = number> = (...args: A) => R

function declare<A extends unknown[], R = number>(prototype: string): Call<A, R> {
  return libc.func(prototype)
}

export const openat = declare<[dir: number, name: Uint8Array, flags: number]>(
  'int openat(int dir, const uint8_t *name, int flags)',
)
export const close = declare<[fd: number]>('int close(int fd)')
export const statx = declare<[dir: number, name: Uint8Array, flags: number, mask: number, into: Uint8Array]>(
  'int statx(int dir, const uint8_t *name, int flags, uint32_t mask, _Out_ uint8_t *into)',
)
export const getdents = declare<[fd: number, into: Uint8Array, size: number]>(
  'long getdents64(int fd, _Out_ uint8_t *into, size_t size)',
)
export const readlinkat = declare<[dir: number, name: Uint8Array, into: Uint8Array, size: number]>(
  'long readlinkat(int dir, const uint8_t *name, _Out_ uint8_t *into, size_t size)',
)
export const fchdir = declare<[fd: number]>('int fchdir(int fd)')
export const llistxattr = declare<[path: Uint8Array, into: Uint8Array, size: number]>(
  'long llistxattr(const uint8_t *path, _Out_ uint8_t *into, size_t size)',
)
export const listxattr = declare<[path: Uint8Array, into: Uint8Array, size: number]>(
  'long listxattr(const uint8_t *path, _Out_ uint8_t *into, size_t size)',
)
export const lgetxattr = declare<[path: Uint8Array, name: Uint8Array, into: Uint8Array, size: number]>(
  'long lgetxattr(const uint8_t *path, const uint8_t *name, _Out_ uint8_t *into, size_t size)',
)
export const getxattr = declare<[path: Uint8Array, name: Uint8Array, into: Uint8Array, size: number]>(
  'long getxattr(const uint8_t *path, const uint8_t *name, _Out_ uint8_t *into, size_t size)',
)
/** A bigint only beyond 2^53. */
export const lseek = declare<[fd: number, offset: number, whence: number], number | bigint>(
  'long lseek(int fd, long offset, int whence)',
)
export const waitpid = declare<[pid: number, status: null, options: number]>(
  'int waitpid(int pid, int *status, int options)',
)

/** Flags that Node does not name; the values are the same on x64 and arm64. */
export const flags = {
  path: 0o10000000,
  closeOnExec: 0o2000000,
  atEmptyPath: 0x1000,
  atNoFollow: 0x100,
  atNoAutomount: 0x800,
  seekData: 3,
  seekHole: 4,
  waitNoHang: 1,
} as const

/** Opens a directory for reading its entries, never through a link. */
export const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | flags.closeOnExec

/** Holds a thing without opening it, never through a link. */
export const openHandle = flags.path | constants.O_NOFOLLOW | flags.closeOnExec

/** A name as the C library wants it. `name` is bytes in latin1 text, the loss-free form used throughout. */
export function cName(name: string): Buffer {
  return Buffer.from(`${name}\0`, 'latin1')
}

const names = new Map(Object.entries(koffi.os.errno).map(([name, code]) => [code, name]))

/** Name of the last failure, such as `ENOENT`. Ask right after the call. */
export function errorName(): string {
  const code = koffi.errno()
  return names.get(code) ?? `errno ${code}`
}
