import type { RawEntry } from './entry.ts'
import type { HeldMount } from './held.ts'

/**
 * Extended attributes of the files of an image, which every victim of that image has: read once and not once a trial.
 *
 * Sound because no attribute can be set without moving the change time, which nobody without privilege can choose:
 * an inode with the change time that it had has the attributes that it had. Three things could break that, and are
 * left out:
 * - a number that is another inode's in another victim. Of an overlay whose layers lie on one file system every plain
 *   file has the overlay's own device and its inode's own number; any other device, a directory (whose number may be
 *   made up), and any other kind of mount is not kept.
 * - two changes within one tick of the clock, and the reading between them: what changed lately is not kept.
 * - a victim's own files: they were made lately, too, when a trial begins.
 */
export class XattrCache {
  readonly #known = new Map<number, Known>()

  /** Undefined when it must be read; `null` when there are none. */
  find(entry: RawEntry, mount: HeldMount): string | null | undefined {
    const known = this.#known.get(entry.inoLow)
    if (known === undefined || !isOfLayers(entry, mount)) return undefined
    return isSame(known.entry, entry) ? known.xattrs : undefined
  }

  /** Remembers what was read just now. Milliseconds since 1970. */
  keep(entry: RawEntry, mount: HeldMount, xattrs: string | undefined, nowMs: number): void {
    if (!isOfLayers(entry, mount) || entry.ctimeSeconds * 1_000 > nowMs - settledMs) return
    if ((xattrs?.length ?? 0) > longest) return
    if (this.#known.size >= most && !this.#known.has(entry.inoLow)) return
    this.#known.set(entry.inoLow, { entry, xattrs: xattrs ?? null })
  }
}

interface Known {
  readonly entry: RawEntry
  readonly xattrs: string | null
}

const most = 65_536
const longest = 1_024
/** Far more than a tick of any clock by which a file system dates, and than a victim is old when its trial begins. */
const settledMs = 60_000

const isOfLayers = (entry: RawEntry, mount: HeldMount) =>
  mount.overlay === true && entry.type !== 'directory' && entry.dev === mount.dev

/** All but the device, which is one of each victim's own. */
const isSame = (a: RawEntry, b: RawEntry) =>
  a.inoLow === b.inoLow &&
  a.inoHigh === b.inoHigh &&
  a.ctimeNanos === b.ctimeNanos &&
  a.ctimeSeconds === b.ctimeSeconds &&
  a.mtimeNanos === b.mtimeNanos &&
  a.mtimeSeconds === b.mtimeSeconds &&
  a.type === b.type &&
  a.size === b.size &&
  a.mode === b.mode &&
  a.uid === b.uid &&
  a.gid === b.gid
