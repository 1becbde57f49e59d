import type { EntryType } from '@landfall/contracts'
import { types } from '../entry.ts'
import * as libc from '../libc.ts'

/** What live events need to know of one thing, which is already held by a handle. */
export interface Looked {
  readonly type: EntryType
  readonly mode: number
  readonly links: number
  /** Identity of the mount it was reached through; 0 when the kernel does not tell. */
  readonly mount: number
  readonly dev: number
  readonly inoHigh: number
  readonly inoLow: number
  /** Microseconds since 1970, as the file system dates it. */
  readonly modifiedUs: number
  readonly changedUs: number
  /** Undefined on file systems that do not keep it. */
  readonly bornUs: number | undefined
}

const basicBirthAndMount = 0x1fff
const mountKnown = 0x1000
const birthKnown = 0x800
const itself = libc.cName('')
const bytes = Buffer.alloc(256)
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)

function time(at: number): number {
  const seconds = view.getUint32(at, true) + view.getInt32(at + 4, true) * 0x1_0000_0000
  return seconds * 1e6 + view.getUint32(at + 8, true) / 1e3
}

/** States `name` in the directory `dir`, or `dir` itself, without following a link or opening anything. */
export function lookAt(dir: number, name: Uint8Array = itself): Looked | undefined {
  const how = libc.flags.atNoFollow | libc.flags.atNoAutomount | (name[0] === 0 ? libc.flags.atEmptyPath : 0)
  if (libc.statx(dir, name, how, basicBirthAndMount, bytes) < 0) return undefined
  const raw = view.getUint16(28, true)
  const known = view.getUint32(0, true)
  return {
    type: types[raw & 0o170000] ?? 'file',
    mode: raw & 0o7777,
    links: view.getUint32(16, true),
    mount: (known & mountKnown) === 0 ? 0 : view.getUint32(144, true) + view.getUint32(148, true) * 0x1_0000_0000,
    dev: view.getUint32(136, true) * 0x10_0000 + view.getUint32(140, true),
    inoHigh: view.getUint32(36, true),
    inoLow: view.getUint32(32, true),
    modifiedUs: time(112),
    changedUs: time(96),
    bornUs: (known & birthKnown) === 0 ? undefined : time(80),
  }
}

export interface Inode {
  readonly dev: number
  readonly inoHigh: number
  readonly inoLow: number
}

export function isSame(a: Inode, b: Inode): boolean {
  return a.inoLow === b.inoLow && a.inoHigh === b.inoHigh && a.dev === b.dev
}

const target = Buffer.alloc(4097)

/** Target bytes of a symbolic link that is held by a handle, in latin1. */
export function targetOf(fd: number): string | undefined {
  const length = libc.readlinkat(fd, itself, target, target.length)
  return length < 0 ? undefined : target.toString('latin1', 0, length)
}
