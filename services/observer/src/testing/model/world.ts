/**
 * A model of what a victim has below one directory: enough of a file system to say what a manifest must show.
 * Pure. Times are the numbers of the steps that moved them.
 */
export type NodeType = 'file' | 'directory' | 'symlink' | 'fifo'

export interface Inode {
  readonly id: number
  readonly type: NodeType
  mode: number
  gid: number
  links: number
  ctime: number
  mtime: number
  content: Buffer
  /** Bytes in latin1. */
  target: string
  xattrs: Map<string, Buffer>
  /** Of a directory: name (bytes in latin1) to inode. */
  children: Map<string, Inode>
}

export interface Found {
  readonly path: string
  readonly name: string
  readonly parent: Inode
  readonly inode: Inode
}

/** The modification time that an operation sets on purpose. */
export const restoredTime = -1_000_000_000

export class World {
  readonly root: Inode
  readonly uid: number
  readonly groups: readonly number[]
  #next = 0
  #now = 0

  constructor(uid: number, groups: readonly number[]) {
    this.uid = uid
    this.groups = groups
    this.root = this.make('directory', 0o755, undefined)
  }

  make(type: NodeType, mode: number, parent: Inode | undefined): Inode {
    const inherits = parent !== undefined && (parent.mode & 0o2000) !== 0
    this.#next += 1
    this.#now += 1
    return {
      id: this.#next,
      type,
      mode: type === 'directory' && inherits ? mode | 0o2000 : mode,
      gid: inherits ? parent.gid : (this.groups[0] ?? 0),
      links: type === 'directory' ? 2 : 1,
      ctime: this.#now,
      mtime: this.#now,
      content: Buffer.alloc(0),
      target: '',
      xattrs: new Map(),
      children: new Map(),
    }
  }

  /** Its state changed, not its content. */
  touch(inode: Inode): void {
    this.#now += 1
    inode.ctime = this.#now
  }

  modify(inode: Inode): void {
    this.touch(inode)
    inode.mtime = inode.ctime
  }

  put(parent: Inode, name: string, inode: Inode): void {
    parent.children.set(name, inode)
    if (inode.type === 'directory') parent.links += 1
    this.modify(parent)
  }

  take(parent: Inode, name: string): void {
    if (parent.children.get(name)?.type === 'directory') parent.links -= 1
    parent.children.delete(name)
    this.modify(parent)
  }

  /** One name fewer. */
  drop(inode: Inode): void {
    inode.links -= 1
    this.touch(inode)
  }

  /** Writing and changing the group by somebody without privilege takes these bits away. */
  dropSetIds(inode: Inode): void {
    inode.mode &= ~0o4000
    if ((inode.mode & 0o010) !== 0) inode.mode &= ~0o2000
  }

  /** Everything below the root, parents first. */
  all(): Found[] {
    return below(this.root, '')
  }

  directories(): { path: string; inode: Inode }[] {
    return [{ path: '', inode: this.root }, ...this.all().filter(({ inode }) => inode.type === 'directory')]
  }
}

export function below(parent: Inode, path: string): Found[] {
  return [...parent.children].flatMap(([name, inode]): Found[] => {
    const own = `${path}/${name}`
    return [{ path: own, name, parent, inode }, ...below(inode, own)]
  })
}
