import koffi from 'koffi'

/**
 * The calls behind live events that Node does not offer. A negative answer is an error; `errorName()` of
 * `../libc.ts` says which.
 */
const libc = koffi.load(null)

type Call<A extends unknown[], R = number> = (...args: A) => R

function declare<A extends unknown[], R = number>(prototype: string): Call<A, R> {
  return libc.func(prototype)
}

export const inotifyInit = declare<[flags: number]>('int inotify_init1(int flags)')
/** Names are bytes that end in a NUL. A second call for the same inode replaces its mask and answers the same number. */
export const addWatch = declare<[fd: number, path: Uint8Array, mask: number]>(
  'int inotify_add_watch(int fd, const uint8_t *path, uint32_t mask)',
)
export const removeWatch = declare<[fd: number, wd: number]>('int inotify_rm_watch(int fd, int wd)')
export const read = declare<[fd: number, into: Uint8Array, size: number]>(
  'long read(int fd, _Out_ uint8_t *into, size_t size)',
)
export const write = declare<[fd: number, from: Uint8Array, size: number]>(
  'long write(int fd, const uint8_t *from, size_t size)',
)
export const eventfd = declare<[initial: number, flags: number]>('int eventfd(unsigned int initial, int flags)')
const pollCall = declare<[fds: Uint8Array, count: number, timeoutMs: number]>(
  'int poll(_Inout_ uint8_t *fds, unsigned long count, int timeout)',
)
const clockCall = declare<[clock: number, into: Uint8Array]>('int clock_gettime(int clock, _Out_ uint8_t *into)')

/** Bits of an event's mask, and of what a watch asks for (inotify(7)). */
export const bits = {
  access: 0x1,
  modify: 0x2,
  attrib: 0x4,
  closeWrite: 0x8,
  closeNoWrite: 0x10,
  open: 0x20,
  movedFrom: 0x40,
  movedTo: 0x80,
  create: 0x100,
  delete: 0x200,
  unmount: 0x2000,
  overflow: 0x4000,
  ignored: 0x8000,
  onlyDirectory: 0x0100_0000,
  isDirectory: 0x4000_0000,
} as const

/** For `inotify_init1` and `eventfd`: not blocking, and closed in programs that are started. */
export const quietFlags = 0o4000 | 0o2000000

const pollIn = 1

/** Waits until one of the descriptors can be read, at most `timeoutMs`. A signal may end it early. */
export function waitReadable(fds: readonly number[], timeoutMs: number): void {
  const list = Buffer.alloc(fds.length * 8)
  fds.forEach((fd, index) => {
    list.writeInt32LE(fd, index * 8)
    list.writeInt16LE(pollIn, index * 8 + 4)
  })
  pollCall(list, fds.length, timeoutMs)
}

const time = Buffer.alloc(16)

/** Microseconds of the clock by which file systems date, in the precision of a double: a quarter of one. */
export function realtimeUs(): number {
  clockCall(0, time)
  return Number(time.readBigInt64LE(0)) * 1e6 + Number(time.readBigInt64LE(8)) / 1e3
}

/** The descriptor's own path, for calls that take only paths. The magic link leads to the held inode and nowhere else. */
export function descriptorPath(fd: number): Buffer {
  return Buffer.from(`/proc/self/fd/${fd}\0`, 'latin1')
}
