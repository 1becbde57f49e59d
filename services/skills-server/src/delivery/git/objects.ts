import { createHash } from 'node:crypto'
import type { CheckoutEntry } from '../../catalogue/served.ts'

/**
 * A repository of one commit, object by object. Own code, because what is put into a tree may be what no library of
 * git agrees to write: names and links are taken as they are.
 */
export interface GitObject {
  readonly kind: 'commit' | 'tree' | 'blob'
  readonly bytes: Buffer
  /** 40 hex digits. */
  readonly id: string
}

export interface Repository {
  readonly head: string
  readonly objects: readonly GitObject[]
}

/** Same entries, same repository. */
export function repositoryOf(entries: readonly CheckoutEntry[]): Repository {
  const objects = new Map<string, GitObject>()
  const keep = (kind: GitObject['kind'], bytes: Buffer): string => {
    const id = createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex')
    objects.set(id, { kind, bytes, id })
    return id
  }
  const tree = writeTree(entries, keep)
  const head = keep('commit', commitOf(tree))
  return { head, objects: [...objects.values()] }
}

interface TreeItem {
  readonly mode: string
  readonly name: string
  readonly id: string
}

const modes = { directory: '40000', file: '100644', executable: '100755', link: '120000' } as const

function writeTree(
  entries: readonly CheckoutEntry[],
  keep: (kind: GitObject['kind'], bytes: Buffer) => string,
): string {
  const here = entries.filter(({ path }) => !path.includes('/')).map((entry) => leaf(entry, keep))
  const below = Map.groupBy(
    entries.filter(({ path }) => path.includes('/')),
    ({ path }) => path.slice(0, path.indexOf('/')),
  )
  const folders = [...below].map(([name, inside]) => {
    const id = writeTree(
      inside.map((entry) => ({ ...entry, path: entry.path.slice(name.length + 1) })),
      keep,
    )
    return { mode: modes.directory, name, id }
  })
  return keep('tree', Buffer.concat([...here, ...folders].toSorted(inGitsOrder).map(encoded)))
}

function leaf(entry: CheckoutEntry, keep: (kind: GitObject['kind'], bytes: Buffer) => string): TreeItem {
  if ('target' in entry)
    return { mode: modes.link, name: entry.path, id: keep('blob', Buffer.from(entry.target, 'utf8')) }
  const mode = entry.executable === true ? modes.executable : modes.file
  return { mode, name: entry.path, id: keep('blob', entry.bytes) }
}

/** By bytes, a directory as if its name ended in a slash. */
function inGitsOrder(a: TreeItem, b: TreeItem): number {
  const key = ({ mode, name }: TreeItem) => Buffer.from(mode === modes.directory ? `${name}/` : name, 'utf8')
  return Buffer.compare(key(a), key(b))
}

const encoded = ({ mode, name, id }: TreeItem): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(id, 'hex')])

function commitOf(tree: string): Buffer {
  const who = 'Landfall <lab@example.com> 1767225600 +0000'
  return Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nA skill\n`, 'utf8')
}
