import { lstatSync, utimesSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captureBefore } from './capture.ts'
import { BlindSpots } from './blindness.ts'
import { systemClock } from './clock.ts'
import type { RawEntry } from './entry.ts'
import type { HeldMount, HeldRoot } from './held.ts'
import { defaultLimits } from './limits.ts'
import { atOnce } from './steps.ts'
import { setXattr } from './testing/set-xattr.ts'
import { Tree } from './testing/tree.ts'
import { XattrCache } from './xattr-cache.ts'

const mount: HeldMount = { key: '/', fd: -1, kind: 'directory', id: 0, dev: 7, overlay: true }
const now = 1_000_000_000
const file: RawEntry = {
  type: 'file',
  mode: 0o644,
  uid: 0,
  gid: 0,
  size: 1,
  links: 1,
  dev: 7,
  inoHigh: 0,
  inoLow: 42,
  mtimeSeconds: 1,
  mtimeNanos: 2,
  ctimeSeconds: 3,
  ctimeNanos: 4,
}
const known = (entry: RawEntry = file, of: HeldMount = mount, nowMs = now): XattrCache => {
  const cache = new XattrCache()
  cache.keep(entry, of, 'user.a YQ==', nowMs)
  return cache
}

describe('the attributes that are kept', () => {
  it('are those of the same inode with the same change time, also in another victim', () => {
    expect(known().find(file, mount)).toBe('user.a YQ==')
    expect(known().find({ ...file, dev: 9 }, { ...mount, dev: 9 })).toBe('user.a YQ==')
  })

  it("are nobody else's: any other number or time is read", () => {
    const other = fc.constantFrom(
      'inoHigh',
      'inoLow',
      'ctimeSeconds',
      'ctimeNanos',
      'mtimeNanos',
      'size',
      'mode',
      'uid',
    )
    fc.assert(
      fc.property(other, fc.integer({ min: 1, max: 0xffff }), (field, by) => {
        expect(known().find({ ...file, [field]: Number(file[field as keyof RawEntry]) + by }, mount)).toBeUndefined()
      }),
    )
  })

  it('are of no directory, of no other device or kind of mount, and of nothing that changed lately', () => {
    expect(known({ ...file, type: 'directory' }).find({ ...file, type: 'directory' }, mount)).toBeUndefined()
    expect(known({ ...file, dev: 8 }).find({ ...file, dev: 8 }, mount)).toBeUndefined()
    expect(known(file, { ...mount, overlay: false }).find(file, mount)).toBeUndefined()
    const lately = { ...file, ctimeSeconds: now / 1_000 - 59 }
    expect(known(lately).find(lately, mount)).toBeUndefined()
  })
})

it('a walk reads an attribute that was set on a file whose attributes are known', () => {
  using tree = new Tree()
  const path = tree.write('a', 'content')
  using held = tree.hold()
  const [top] = held.mounts
  if (top === undefined) throw new Error('nothing is held')
  // An overlay by its word alone, which is all that the walk goes by.
  const layered: HeldRoot = { ...held, mounts: [{ ...top, overlay: true }] }
  const later = { ...systemClock, now: () => new Date(Date.now() + 120_000) }
  const xattrs = new XattrCache()
  const read = () =>
    atOnce(captureBefore(layered, [], new BlindSpots(), { clock: later, limits: defaultLimits, xattrs })).manifest.find(
      '/a',
    )?.entry.xattrs
  expect(read()).toBeUndefined()
  const changed = () => lstatSync(path, { bigint: true }).ctimeNs
  // In the next tick of the clock at last: the walk is told that the file is older than it is.
  for (const before = changed(); changed() === before;) setXattr(path, 'user.a', Buffer.from('new'))
  expect(read()).toBe(`user.a ${Buffer.from('new').toString('base64')}`)
  utimesSync(path, 1, 1)
  expect(read()).toBe(`user.a ${Buffer.from('new').toString('base64')}`)
})
