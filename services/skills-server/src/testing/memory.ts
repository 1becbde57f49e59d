import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'

/** For tests: a look at this process's own memory, after everything that can go has gone. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  z.custom<() => void>((value) => typeof value === 'function').parse(runInNewContext('gc'))()
}

/** Objects and buffers that are still held. */
export function heapMiB(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}
