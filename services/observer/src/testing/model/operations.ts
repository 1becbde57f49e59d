import type { Found, Inode, World } from './world.ts'
import { below, restoredTime } from './world.ts'

/**
 * Turns choices, which are plain numbers that shrink well, into operations that are possible in a world, and
 * applies them to it. What is not possible is left out.
 */
export const kinds = [
  'create',
  'mkdir',
  'write',
  'overwrite',
  'truncate',
  'rename',
  'link',
  'symlink',
  'swap',
  'chmod',
  'chown',
  'setxattr',
  'removexattr',
  'delete',
  'mkfifo',
  'utimes',
] as const

export interface Choice {
  readonly kind: (typeof kinds)[number]
  /** Which of the things that are there. */
  readonly a: number
  /** Which of the directories that are there. */
  readonly b: number
  /** Which of the names, modes, targets. */
  readonly c: number
  readonly n: number
}

/** What the operator in the victim does. Paths are below the sequence's own directory, bytes in latin1. */
export interface Operation {
  readonly op: Exclude<Choice['kind'], 'delete'> | 'unlink' | 'rmdir'
  readonly path: string
  readonly to?: string
  readonly number?: number
  readonly text?: string
  /** Content as a byte and how often. */
  readonly fill?: readonly [byte: number, size: number]
}

const names = ['a', 'b', 'c', 'd e', '\xff\xfe', '\xc3\x28', '\x1b[31m\n', '%41', '\x01'.repeat(255), '..x']
const targets = ['a', '/etc/passwd', '../../..', '\xff', './b/../c', 'x'.repeat(3_000)]
const fileModes = [0o644, 0o600, 0o000, 0o755, 0o4755, 0o2755, 0o6711, 0o1644, 0o2644]
const directoryModes = [0o755, 0o700, 0o1777, 0o2775]
export const attributeNames = ['user.a', 'user.b =', 'user.\xc3\xa9']

const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length]

/** Answers what the operator must do, if anything. */
export function apply(world: World, choice: Choice): Operation | undefined {
  const { kind, a, b, c, n } = choice
  const directory = pick(world.directories(), b)
  const name = pick(names, c)
  if (directory === undefined || name === undefined) return undefined
  const path = `${directory.path}/${name}`
  const there = directory.inode.children.get(name)
  const fresh = { world, parent: directory.inode, name, path, choice }
  if (kind === 'create' || kind === 'mkdir' || kind === 'symlink' || kind === 'mkfifo') {
    return there === undefined ? applyNew(kind, fresh) : undefined
  }
  const found = pick(world.all(), a)
  if (found === undefined) return undefined
  switch (kind) {
    case 'rename':
      return rename(world, found, fresh, there)
    case 'link':
      return there === undefined && found.inode.type !== 'directory' ? link(world, found, fresh) : undefined
    case 'delete':
      return remove(world, found)
    case 'swap':
      return found.inode.type === 'directory' ? undefined : swap(world, found, c)
    case 'chmod':
    case 'chown':
    case 'utimes':
    case 'setxattr':
    case 'removexattr':
      return applyMeta(world, found, choice)
    case 'write':
    case 'overwrite':
    case 'truncate':
      return found.inode.type === 'file' && (found.inode.mode & 0o200) !== 0
        ? applyContent(kind, world, found, n)
        : undefined
  }
}

interface Fresh {
  readonly world: World
  readonly parent: Inode
  readonly name: string
  readonly path: string
  readonly choice: Choice
}

function applyNew(op: 'create' | 'mkdir' | 'symlink' | 'mkfifo', fresh: Fresh): Operation {
  const { world, parent, name, path, choice } = fresh
  const add = (inode: Inode): void => world.put(parent, name, inode)
  const fill = [choice.n % 256, choice.n % 5_000] as const
  switch (op) {
    case 'create': {
      const inode = world.make('file', 0o644, parent)
      inode.content = Buffer.alloc(fill[1], fill[0])
      add(inode)
      return { op, path, fill }
    }
    case 'mkdir':
      add(world.make('directory', 0o755, parent))
      return { op, path }
    case 'mkfifo':
      add(world.make('fifo', 0o600, parent))
      return { op, path }
    case 'symlink': {
      const inode = world.make('symlink', 0o777, parent)
      inode.target = pick(targets, choice.n) ?? ''
      add(inode)
      return { op, path, text: inode.target }
    }
  }
}

function rename(world: World, from: Found, fresh: Fresh, there: Inode | undefined): Operation | undefined {
  const { inode } = from
  const isDirectory = inode.type === 'directory'
  if (fresh.path === from.path || fresh.path.startsWith(`${from.path}/`)) return undefined
  if (there !== undefined) {
    // Two names of one file: the kernel does nothing and says that all is well.
    if (there === inode) return { op: 'rename', path: from.path, to: fresh.path }
    if ((there.type === 'directory') !== isDirectory || there.children.size > 0) return undefined
    world.take(fresh.parent, fresh.name)
    world.drop(there)
  }
  world.take(from.parent, from.name)
  world.put(fresh.parent, fresh.name, inode)
  world.touch(inode)
  return { op: 'rename', path: from.path, to: fresh.path }
}

function link(world: World, from: Found, fresh: Fresh): Operation {
  from.inode.links += 1
  world.touch(from.inode)
  world.put(fresh.parent, fresh.name, from.inode)
  return { op: 'link', path: from.path, to: fresh.path }
}

function remove(world: World, found: Found): Operation | undefined {
  const isDirectory = found.inode.type === 'directory'
  if (isDirectory && below(found.inode, '').length > 0) return undefined
  world.take(found.parent, found.name)
  world.drop(found.inode)
  return { op: isDirectory ? 'rmdir' : 'unlink', path: found.path }
}

function swap(world: World, found: Found, c: number): Operation {
  const inode = world.make('symlink', 0o777, found.parent)
  inode.target = pick(targets, c) ?? ''
  world.take(found.parent, found.name)
  world.drop(found.inode)
  world.put(found.parent, found.name, inode)
  world.touch(inode)
  return { op: 'swap', path: found.path, text: inode.target }
}

function applyContent(
  op: 'write' | 'overwrite' | 'truncate',
  world: World,
  { inode, path }: Found,
  n: number,
): Operation | undefined {
  const size = op === 'overwrite' ? inode.content.length : op === 'write' ? 1 + (n % 5_000) : n % 5_000
  if ((op === 'overwrite' && size === 0) || (op === 'truncate' && size === inode.content.length)) return undefined
  const byte = n % 256
  inode.content =
    op === 'truncate' ? Buffer.concat([inode.content, Buffer.alloc(size)], size) : Buffer.alloc(size, byte)
  world.dropSetIds(inode)
  world.modify(inode)
  return op === 'truncate' ? { op, path, number: size } : { op, path, fill: [byte, size] }
}

function applyMeta(world: World, { inode, path }: Found, { kind, c, n }: Choice): Operation | undefined {
  const isDirectory = inode.type === 'directory'
  if (kind === 'chown') {
    const gid = pick(world.groups, n) ?? 0
    inode.gid = gid
    if (!isDirectory) world.dropSetIds(inode)
    world.touch(inode)
    return { op: 'chown', path, number: gid }
  }
  if (inode.type === 'symlink') return undefined
  if (kind === 'chmod') {
    inode.mode = pick(isDirectory ? directoryModes : fileModes, c) ?? 0
    world.touch(inode)
    return { op: 'chmod', path, number: inode.mode }
  }
  if (kind === 'utimes') {
    world.touch(inode)
    inode.mtime = restoredTime
    return { op: 'utimes', path }
  }
  return inode.type === 'fifo' || (inode.mode & 0o200) === 0 ? undefined : applyXattr(world, inode, path, kind, c, n)
}

function applyXattr(
  world: World,
  inode: Inode,
  path: string,
  kind: Choice['kind'],
  c: number,
  n: number,
): Operation | undefined {
  const text = pick(attributeNames, c) ?? ''
  const before = inode.xattrs.get(text)
  if (kind === 'removexattr') {
    if (!inode.xattrs.delete(text)) return undefined
    world.touch(inode)
    return { op: 'removexattr', path, text }
  }
  const fill = [n % 256, n % 400] as const
  const value = Buffer.alloc(fill[1], fill[0])
  // Some file systems take note of a value that is already there, some do not.
  if (before?.equals(value) === true) return undefined
  inode.xattrs.set(text, value)
  world.touch(inode)
  return { op: 'setxattr', path, text, fill }
}
