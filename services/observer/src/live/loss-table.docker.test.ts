import { isSevere } from '@landfall/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { buildObserver, Observer, Victim } from '../testing/containers.ts'
import type { Workload } from './workloads.ts'
import { program, workloads } from './workloads.ts'

/** The cases of the design's loss table, in a real victim: what is lost must be said, and nothing of the end may be. */

const base = '/home/node/work'
const listed = defaultLimits.changes

beforeAll(buildObserver)

async function observe({ prepare, run }: Workload) {
  await using observer = await Observer.start()
  await using victim = await Victim.start(observer, 't1')
  const node = async (body: string): Promise<void> => {
    const { exitCode, output } = await victim.container.exec(['node', '-e', program(base, body)])
    expect([exitCode, output]).toEqual([0, ''])
  }
  await node('fs.mkdirSync(base)')
  if (prepare !== undefined) await node(prepare)
  await observer.begin({ trial: 't1' })
  await node(run)
  await victim.kill()
  return await observer.end('t1')
}

describe('the loss table', () => {
  it.each(workloads)(
    '$name: the end is complete, and what came and went is seen or said to be lost',
    async (workload) => {
      const { changes, blindness, live, entriesBefore, entriesAfter } = await observe(workload)
      const isFile = (type: string | undefined): boolean => type === 'file'
      const changed = changes.filter(({ kind, path, after }) => {
        return kind === 'changed' && path.startsWith(`${base}/`) && isFile(after?.type)
      }).length
      const added = entriesAfter - entriesBefore
      const { standing, transient, losses } = live.counts
      const lost = Object.entries(losses).map(([kind, count]) => `${kind} ${count}`)
      const [p50, p95] = [live.latencyUs.p50, live.latencyUs.p95].map((us) => (us / 1_000).toFixed(1))
      process.stdout.write(
        `loss table: ${workload.name}: W1 ${added} new of ${workload.added}, ${changed} changed of ${workload.changed}; ` +
          `W3 ${standing} standing of ${workload.standing}, ${transient} that came and went of ${workload.transient}, ` +
          `said to be lost: ${lost.join(', ') || 'nothing'}; latency p50 ${p50} ms, p95 ${p95} ms\n`,
      )
      // More changes than are listed are counted and searched, but not listed; no other blindness is met here.
      expect(blindness.map(({ detail }) => detail)).toEqual(
        workload.added > listed ? [`more changes than are listed (${listed})`] : [],
      )
      expect(added).toBe(workload.added)
      expect(changed).toBe(workload.changed)
      const severe = live.losses.filter(isSevere)
      // A burst may fill the kernel's queue on a slow machine; nothing else may be lost as a whole.
      expect(severe.filter(({ kind }) => kind !== 'overflow')).toEqual([])
      if (severe.length > 0) return
      expect(standing).toBe(workload.standing)
      expect(transient).toBeLessThanOrEqual(workload.transient)
      // What is not seen is said, directory by directory.
      expect(transient + (losses.late ?? 0)).toBeGreaterThanOrEqual(workload.transient)
    },
  )
})
