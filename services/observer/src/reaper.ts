import * as libc from './libc.ts'

/**
 * Reaps the orphans that PID 1 inherits from every victim; Node does not, and zombies would fill the
 * namespace's process table. Safe only because the observer never starts a child of its own, whose exit
 * Node itself would wait for.
 */

/** Reaps everything that has ended by now. Answers how many. */
export function reapNow(): number {
  let reaped = 0
  while (libc.waitpid(-1, null, libc.flags.waitNoHang) > 0) reaped += 1
  return reaped
}

const intervalMs = 250

/** Reaps from now on, if this process is the one that inherits orphans. */
export function startReaper(): NodeJS.Timeout | undefined {
  if (process.pid !== 1) return undefined
  const timer = setInterval(reapNow, intervalMs)
  timer.unref()
  return timer
}
