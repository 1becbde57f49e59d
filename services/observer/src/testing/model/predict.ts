import { createHash } from 'node:crypto'
import type { Change } from '@landfall/contracts'
import { toWirePath } from '@landfall/contracts'
import type { Inode, World } from './world.ts'
import { below } from './world.ts'

/** What a change must say, as far as a model can know it: no times, no inode numbers, no sizes of directories. */
export interface Told {
  readonly kind: Change['kind']
  readonly path: string
  readonly before?: object
  readonly after?: object
  readonly fields?: readonly string[]
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const wire = (text: string): string => toWirePath(Buffer.from(text, 'latin1'))

interface State {
  readonly id: number
  readonly ctime: number
  readonly mtime: number
  readonly facts: Record<string, unknown>
  readonly sha256: string | undefined
}

export type Snapshot = ReadonlyMap<string, State>

function stateOf(inode: Inode, uid: number): State {
  const { id, type, mode, gid, links, ctime, mtime, content, target, xattrs } = inode
  const values = [...xattrs].map(([name, value]) => [
    wire(name),
    value.length > 256 ? `sha256:${sha256(value)}` : value.toString('base64'),
  ])
  const facts = {
    type,
    mode,
    uid,
    gid,
    links,
    ...(type === 'directory' ? {} : { size: type === 'symlink' ? target.length : content.length }),
    ...(type === 'symlink' ? { target: wire(target) } : {}),
    ...(values.length === 0 ? {} : { xattrs: Object.fromEntries(values) as unknown }),
  }
  return { id, ctime, mtime, facts, sha256: type === 'file' ? sha256(content) : undefined }
}

/** Everything there is, by path below the sequence's directory. */
export function snapshot(world: World): Snapshot {
  const all = below(world.root, '').map(({ path, inode }): [string, State] => [wire(path), stateOf(inode, world.uid)])
  return new Map([['', stateOf(world.root, world.uid)], ...all])
}

/** The exact difference of two snapshots. */
export function predict(before: Snapshot, after: Snapshot): Told[] {
  const told: Told[] = []
  for (const [path, now] of after) {
    const then = before.get(path)
    const facts = now.sha256 === undefined ? now.facts : { ...now.facts, sha256: now.sha256 }
    if (then === undefined) told.push({ kind: 'added', path, after: facts })
    else if (then.id !== now.id || then.ctime !== now.ctime) {
      told.push({ kind: 'changed', path, before: then.facts, after: facts, fields: fieldsOf(then, now) })
    }
  }
  for (const [path, then] of before) {
    if (!after.has(path)) told.push({ kind: 'removed', path, before: then.facts })
  }
  return told.toSorted(byPath)
}

/** Of another inode only the facts are compared: its number may be used again, its times may be any. */
function fieldsOf(then: State, now: State): string[] {
  const names = new Set([...Object.keys(then.facts), ...Object.keys(now.facts)])
  const facts = [...names].filter((name) => JSON.stringify(then.facts[name]) !== JSON.stringify(now.facts[name]))
  if (then.id !== now.id) return facts.filter((name) => name !== 'size').toSorted()
  const times = [...(then.mtime === now.mtime ? [] : ['mtimeNs']), 'ctimeNs']
  return [...facts, ...times].toSorted()
}

/** An observed change in the same form; `other` says whether it is another inode by the model. */
export function told(
  { kind, path, before, after, fields }: Change,
  base: string,
  other: (path: string) => boolean,
): Told {
  const below = path.slice(base.length)
  const isDirectory = (after ?? before)?.type === 'directory'
  const unknown = new Set(other(below) ? ['ino', 'ctimeNs', 'mtimeNs', 'size'] : isDirectory ? ['size'] : [])
  return {
    kind,
    path: below,
    ...(before && { before: factsOf(before) }),
    ...(after && { after: factsOf(after) }),
    ...(fields && { fields: fields.filter((field) => !unknown.has(field)).toSorted() }),
  }
}

function factsOf(entry: NonNullable<Change['after']>): object {
  const { type, mode, uid, gid, links, size, target, xattrs, sha256 } = entry
  return {
    type,
    mode,
    uid,
    gid,
    links,
    ...(type === 'directory' ? {} : { size }),
    ...(target === undefined ? {} : { target }),
    ...(xattrs === undefined ? {} : { xattrs }),
    ...(sha256 === undefined ? {} : { sha256 }),
  }
}

export const byPath = (a: Told, b: Told): number => (a.path < b.path ? -1 : 1)
