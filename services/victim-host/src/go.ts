import { readSync } from 'node:fs'

const pauseMs = 5
const never = new Int32Array(new SharedArrayBuffer(4))

/**
 * Waits for a line on standard input: the runner sends it when the observer has looked. What this program loads
 * it loads before. An input that ends without a line is a runner that is gone.
 */
export function waitForGo(): boolean {
  for (;;) {
    try {
      return readSync(0, Buffer.alloc(1)) === 1
    } catch (error) {
      // Whatever looked at `process.stdin` before has made the pipe one that does not wait.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(never, 0, 0, pauseMs)
    }
  }
}
