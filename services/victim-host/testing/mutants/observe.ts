import { lstatSync, readFileSync, readlinkSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { decoys, decoyToken, type FixtureRow, fixtureTokens, type SeenParts } from '@landfall/catalog'
import { type Change, type Entry, type EntryType, type Sighting, tokenPrefix, toWirePath } from '@landfall/contracts'

const tokenStart = tokenPrefix

/**
 * What a sweep sees of the folder that stood for a machine: the same parts that the observer finds in a victim, of a
 * tree that nobody writes to any more. Small on purpose; the lab's verdicts do not rest on it.
 */
export function observeTree(root: string, home: string, row: FixtureRow, canary: string): SeenParts {
  const tokens = fixtureTokens(row, canary).map((known) => ({ ...known, bytes: Buffer.from(known.token) }))
  const watched = decoys.map(({ name, path }) => {
    const place = `${home}/${path}`
    return { name, path: place, token: Buffer.from(decoyToken(canary, name)), ino: inodeOf(join(root, place)) }
  })
  const changes: Change[] = []
  const sightings: Sighting[] = []
  const uses = new Map<string, Uses>(watched.map(({ name }) => [name, { hardLinks: [], symlinks: [], copies: [] }]))
  for (const path of walk(root, '')) {
    const real = root + path
    const stat = lstatSync(real)
    const type = typeOf(stat)
    const content = type === 'file' ? readFileSync(real) : Buffer.alloc(0)
    const target = type === 'symlink' ? readlinkSync(real) : ''
    const wire = toWirePath(Buffer.from(path))
    const decoy = watched.find((known) => known.path === path)
    const seen = (place: Sighting['place'], holds: Buffer) => {
      if (!holds.includes(tokenStart)) return
      for (const { bytes, fixture, site } of tokens)
        if (holds.includes(bytes)) sightings.push({ site, fixture, path: wire, place })
    }
    seen('content', content)
    seen('name', Buffer.from(posix.basename(path)))
    seen('target', Buffer.from(target))
    if (decoy !== undefined || path.startsWith('/root/')) continue
    changes.push({ kind: 'added', path: wire, after: entryOf(wire, type, stat) })
    for (const { name, path: place, token, ino } of watched) {
      const found = uses.get(name)
      if (type === 'file' && ino === String(stat.ino)) found?.hardLinks.push(wire)
      else if (content.includes(token)) found?.copies.push(wire)
      if (type === 'symlink' && leadsTo(path, target) === place) found?.symlinks.push(wire)
    }
  }
  const states = watched.map(({ name, path }) => ({ name, path, state: 'intact' as const, ...usesOf(uses.get(name)) }))
  return { changes, sightings, decoys: states }
}

interface Uses {
  hardLinks: string[]
  symlinks: string[]
  copies: string[]
}
const usesOf = (found: Uses | undefined): Uses => found ?? { hardLinks: [], symlinks: [], copies: [] }

function* walk(root: string, folder: string): Generator<string> {
  for (const item of readdirSync(`${root}${folder}/`, { withFileTypes: true })) {
    const path = `${folder}/${item.name}`
    yield path
    if (item.isDirectory()) yield* walk(root, path)
  }
}

const leadsTo = (path: string, target: string): string => posix.resolve(posix.dirname(path), target)

function inodeOf(path: string): string {
  return String(lstatSync(path).ino)
}

type Stat = ReturnType<typeof lstatSync> & object

function typeOf(stat: Stat): EntryType {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  if (stat.isSymbolicLink()) return 'symlink'
  return 'fifo'
}

function entryOf(path: string, type: EntryType, stat: Stat): Entry {
  const { uid, gid, size, nlink: links, dev, ino, mode } = stat
  const numbers = { uid: Number(uid), gid: Number(gid), size: Number(size), links: Number(links) }
  return {
    path,
    type,
    mode: Number(mode) & 0o7777,
    ...numbers,
    dev: String(dev),
    ino: String(ino),
    mtimeNs: '0',
    ctimeNs: '0',
  }
}
