import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'

const go = new URL('./go.ts', import.meta.url).href

/** Ends with 0 when it was told to go, and with 1 when nobody will. */
function waiting(first: string) {
  const script = `${first}; const { waitForGo } = await import('${go}'); process.exit(waitForGo() ? 0 : 1)`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['pipe', 'inherit', 'inherit'] })
}

it.each([
  ['an input that waits', ''],
  ['an input that was made not to wait', 'process.stdin.resume().pause()'],
])('goes when a line comes, from %s', async (_name, first) => {
  const child = waiting(first)
  const ended = once(child, 'exit')
  await sleep(300)
  expect(child.exitCode).toBeNull()
  child.stdin.write('\n')
  expect(await ended).toEqual([0, null])
})

it('does not go when the input ends', async () => {
  const child = waiting('')
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([1, null])
})
