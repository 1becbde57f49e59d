import { readdirSync, writeFileSync, writeSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts'
import { wire } from '../entry.ts'
import { errorName } from '../libc.ts'
import { read, waitReadable } from '../live/kernel.ts'
import { ExactTree } from './exact-tree.ts'
import { decodeEvents, fanotifyInit, fanotifyMark, handleOf, initFlags, markFlags, wanted } from './fanotify.ts'

/**
 * `main.ts <mount> [ready]`: everything that happens on the file system at `mount`, one JSON object a line on stdout,
 * and its totals whenever nothing happens for a while. `ready` is a file that is written when it watches.
 *
 * A program of its own, with `SYS_ADMIN`, that stands in nobody's PID namespace and on no network; see
 * `compose.exact.yaml`. It ends with the process: there is nothing to be released.
 */
const [mount = '', ready] = process.argv.slice(2)
const idleMs = 250

const checked = (what: string, answer: number): number => {
  if (answer < 0) throw new LandfallError('machine', `${what} ${mount}: ${errorName()}`)
  return answer
}

const fd = checked('cannot watch', fanotifyInit(initFlags, 0))
checked('cannot watch the file system of', fanotifyMark(fd, markFlags, wanted, -100, mount))
const root = handleOf(mount)
if (root === undefined) throw new LandfallError('machine', `the file system of ${mount} has no handles: ${errorName()}`)
const tree = new ExactTree(root)
// Watched first and looked into after, so that nothing falls in between.
learn(mount, root)
if (ready !== undefined) writeFileSync(ready, '')

const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`)
const bytes = Buffer.alloc(1024 * 1024)
for (let busy = true; ;) {
  waitReadable([fd], idleMs)
  const filled = read(fd, bytes, bytes.length)
  if (filled > 0) {
    busy = true
    const atMs = Date.now()
    decodeEvents(bytes, filled, (event) => {
      for (const { kind, path, from } of tree.tell(event))
        say({ kind, atMs, ...(path && { path: wire(path) }), ...(from && { from: wire(from) }) })
    })
  } else if (busy) {
    busy = false
    say({ kind: 'totals', ...tree.counts() })
  }
}

function learn(path: string, directory: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true, encoding: 'latin1' })) {
    if (!entry.isDirectory()) continue
    const below = `${path}/${entry.name}`
    const handle = handleOf(below)
    if (handle === undefined) continue
    tree.know(handle, { directory, name: entry.name })
    learn(below, handle)
  }
}
