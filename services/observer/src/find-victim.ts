import { readFileSync, readdirSync } from 'node:fs'
import { environment } from '@landfall/contracts'

/**
 * Finds the processes of a victim by the mark in their environment.
 *
 * The engine sets the environment with the very call that starts the victim's program, after it has moved
 * the process into the container. So a marked process is never one that is still being set up, whose root
 * would be the engine host's.
 */

/** Whether an environment block holds the variable `name` with exactly this value. */
export function hasVariable(block: Buffer, name: string, value: string): boolean {
  const wanted = Buffer.from(`${name}=${value}`)
  for (let start = 0; start < block.length;) {
    const nul = block.indexOf(0, start)
    const end = nul < 0 ? block.length : nul
    if (end - start === wanted.length && block.compare(wanted, 0, wanted.length, start, end) === 0) return true
    start = end + 1
  }
  return false
}

/** Process ids, lowest first, whose environment marks them as this victim's. The observer itself never counts. */
export function findVictim(marker: string, proc = '/proc'): number[] {
  const ids = readdirSync(proc)
    .filter((name) => /^[1-9][0-9]*$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)
    .toSorted((a, b) => a - b)
  return ids.filter((pid) => {
    try {
      return hasVariable(readFileSync(`${proc}/${pid}/environ`), environment.trial, marker)
    } catch {
      return false // It ended, or it is the kernel's or another user's: in no case the victim.
    }
  })
}
