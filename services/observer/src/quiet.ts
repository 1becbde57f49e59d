import { readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Tells when no process of a victim is left.
 *
 * The engine answers a kill only after it has taken the container's network and mounts apart, which takes
 * longer than the processes live. The observer sees them in its own PID namespace, and need not wait for that.
 */

const pollMs = 10

/** Whether a process with another root than this one's is there: only the victim's have one. */
export function othersAlive(proc = '/proc'): boolean {
  const own = rootOf(`${proc}/self`)
  return readdirSync(proc)
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .map((pid) => rootOf(`${proc}/${pid}`))
    .some((root) => root !== undefined && root !== own)
}

/** Identity of a process's root; `undefined` once it has let go of it, after which it can write no more. */
function rootOf(process: string): string | undefined {
  try {
    const { dev, ino } = statSync(`${process}/root/`, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

/** Whether it became quiet within `limitMs`. */
export async function waitUntilQuiet(limitMs: number, alive: () => boolean = othersAlive): Promise<boolean> {
  for (let waited = 0; alive(); waited += pollMs) {
    if (waited >= limitMs) return false
    await sleep(pollMs)
  }
  return true
}
