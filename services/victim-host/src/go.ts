import { readSync } from 'node:fs'

/**
 * Waits for a line on standard input: the runner sends it when the observer has looked. What this program loads
 * it loads before. An input that ends without a line is a runner that is gone.
 */
export function waitForGo(): boolean {
  return readSync(0, Buffer.alloc(1)) === 1
}
