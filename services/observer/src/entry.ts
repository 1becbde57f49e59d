import type { Entry, EntryType } from '@landfall/contracts'
import { toWirePath } from '@landfall/contracts'
import * as libc from './libc.ts'
import { xattrsToWire } from './xattrs.ts'

/**
 * One entry of a manifest as the kernel states it, and its form on the wire.
 *
 * 64-bit numbers are kept in halves and not as bigints: a manifest has tens of thousands of entries, and
 * making five bigints for each costs as much time as the system call.
 */
export interface RawEntry {
  readonly type: EntryType
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  readonly links: number
  readonly dev: number
  readonly inoHigh: number
  readonly inoLow: number
  readonly mtimeSeconds: number
  readonly mtimeNanos: number
  readonly ctimeSeconds: number
  readonly ctimeNanos: number
  /** Target bytes of a symbolic link, in latin1. */
  readonly target?: string
  /** Extended attributes in the form of `xattrs.ts`; absent when there are none. */
  readonly xattrs?: string
}

/** What `statx` says beyond the entry itself. */
export interface Stat {
  readonly entry: RawEntry
  /** Identity of the mount the entry was reached through; 0 when the kernel does not tell. */
  readonly mount: number
}

/** By the type bits of a mode. */
export const types: Readonly<Record<number, EntryType>> = {
  0o010000: 'fifo',
  0o020000: 'char-device',
  0o040000: 'directory',
  0o060000: 'block-device',
  0o100000: 'file',
  0o120000: 'symlink',
  0o140000: 'socket',
}

const basicAndMount = 0x17ff
const mountKnown = 0x1000
const bytes = Buffer.alloc(256)
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
const linkBytes = Buffer.alloc(4097)

function uint32(offset: number): number {
  return view.getUint32(offset, true)
}

/** A size or time beyond 2^53, which a victim can make on a tmpfs, is held at the border instead of losing its sense. */
function safe(high: number, low: number): number {
  const value = high * 0x1_0000_0000 + low
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value))
}

/**
 * States the entry `name` of the directory `dir` without following a link or opening anything.
 * An empty name states `dir` itself. Answers undefined on failure; `libc.errorName()` says which.
 */
export function statAt(dir: number, name: Uint8Array): Stat | undefined {
  const own = name[0] === 0
  const how = libc.flags.atNoFollow | libc.flags.atNoAutomount | (own ? libc.flags.atEmptyPath : 0)
  if (libc.statx(dir, name, how, basicAndMount, bytes) < 0) return undefined
  const raw = view.getUint16(28, true)
  const type = types[raw & 0o170000] ?? 'file'
  const entry = {
    type,
    mode: raw & 0o7777,
    uid: uint32(20),
    gid: uint32(24),
    size: safe(uint32(44), uint32(40)),
    links: uint32(16),
    dev: uint32(136) * 0x10_0000 + uint32(140),
    inoHigh: uint32(36),
    inoLow: uint32(32),
    mtimeSeconds: safe(view.getInt32(116, true), uint32(112)),
    mtimeNanos: uint32(120),
    ctimeSeconds: safe(view.getInt32(100, true), uint32(96)),
    ctimeNanos: uint32(104),
  }
  const mount = (uint32(0) & mountKnown) === 0 ? 0 : safe(uint32(148), uint32(144))
  if (type !== 'symlink' || own) return { entry, mount }
  const length = libc.readlinkat(dir, name, linkBytes, linkBytes.length)
  if (length < 0) return undefined
  return { entry: { ...entry, target: linkBytes.toString('latin1', 0, length) }, mount }
}

/** Whether two entries are one and the same inode. */
export function sameInode(a: RawEntry, b: RawEntry): boolean {
  return a.dev === b.dev && a.inoLow === b.inoLow && a.inoHigh === b.inoHigh
}

/** Most names are plain, and this is asked for every change. */
const plain = /^[\x20-\x24\x26-\x7e]*$/

export function wire(key: string): string {
  if (plain.test(key)) return key
  return toWirePath(Buffer.from(key, 'latin1'))
}

function nanos(seconds: number, rest: number): string {
  return String(BigInt(seconds) * 1_000_000_000n + BigInt(rest))
}

/** Extra facts that only the entry's content or surroundings give. */
export interface EntryFacts {
  readonly sha256?: string
  readonly resolved?: string
}

/** The entry at `key` (path bytes in latin1) in the form of the contract. */
export function toEntry(key: string, raw: RawEntry, facts: EntryFacts = {}): Entry {
  return {
    path: wire(key),
    type: raw.type,
    mode: raw.mode,
    uid: raw.uid,
    gid: raw.gid,
    size: raw.size,
    links: raw.links,
    dev: String(raw.dev),
    ino: String((BigInt(raw.inoHigh) << 32n) | BigInt(raw.inoLow)),
    mtimeNs: nanos(raw.mtimeSeconds, raw.mtimeNanos),
    ctimeNs: nanos(raw.ctimeSeconds, raw.ctimeNanos),
    ...(raw.target === undefined ? {} : { target: wire(raw.target) }),
    ...(facts.resolved === undefined ? {} : { resolved: wire(facts.resolved) }),
    ...(facts.sha256 === undefined ? {} : { sha256: facts.sha256 }),
    ...(raw.xattrs === undefined ? {} : { xattrs: xattrsToWire(raw.xattrs) }),
  }
}
