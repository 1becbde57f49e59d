import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as libc from '../libc.ts'
import { Tree } from '../testing/tree.ts'
import { defaultLiveLimits } from './limits.ts'
import { Watcher } from './watcher.ts'

/** Random sequences, looked at whenever chance has it: however far they have come by then, the end is known whole. */

const name = fc.constantFrom('a', 'b', 'c')
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path }),
  fc.record({ do: fc.constant('mkdir' as const), path }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('symlink' as const), path }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constant('link' as const), path, to: path }),
  fc.record({ do: fc.constant('look' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function act(root: string, given: Step): void {
  if (given.do === 'look') return
  const at = join(root, given.path)
  try {
    if (given.do === 'write') writeFileSync(at, 'x')
    else if (given.do === 'mkdir') mkdirSync(at)
    else if (given.do === 'remove') rmSync(at, { recursive: true })
    else if (given.do === 'symlink') symlinkSync('a', at)
    else if (given.do === 'rename') renameSync(at, join(root, given.to))
    else linkSync(at, join(root, given.to))
  } catch {
    // What the kernel refuses changes nothing.
  }
}

/** Everything below `root`, as paths in it; links are not followed. */
function all(root: string, below = ''): string[] {
  return readdirSync(root + below, { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}/${entry.name}`
    return entry.isDirectory() ? [path, ...all(root, path)] : [path]
  })
}

it('knows everything that is new in the end, and says that it missed what it did not see go', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      using tree = new Tree()
      using watcher = new Watcher({
        roots: [{ key: '/', fd: libc.openat(-1, libc.cName(tree.root), libc.openHandle | libc.openDirectory) }],
        points: new Set(),
        subject: { tokens: new Map(), decoys: new Map() },
        limits: defaultLiveLimits,
        elapsedMs: () => 1,
      })
      watcher.start()
      for (const given of steps) {
        act(tree.root, given)
        if (given.do === 'look') watcher.drain()
      }
      const { live, standing } = watcher.finish()
      expect(standing?.paths.toSorted()).toEqual(all(tree.root).toSorted())
      expect(live.counts.standing).toBe(standing?.paths.length)
      expect(live.losses.filter(({ kind }) => kind !== 'late')).toEqual([])
    }),
    { numRuns: 300 },
  )
}, 120_000)
