import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

const scratch = () => mkdtempDisposable(join(tmpdir(), 'landfall-lock-'))

describe('withLock', () => {
  it('lets one at a time in, and leaves nothing behind', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'deep', 'setup.lock')
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await sleep(5)
      inside--
    }
    await Promise.all(Array.from({ length: 8 }, () => withLock(path, work, { pollMs: 2 })))
    expect(most).toBe(1)
    expect(await readdir(join(folder.path, 'deep'))).toEqual([])
  })

  it('says once whom it waits for', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'setup.lock')
    const waits: number[] = []
    const first = withLock(path, () => sleep(40))
    await sleep(10)
    await withLock(path, async () => {}, { pollMs: 2, onWait: (pid) => waits.push(pid) })
    await first
    expect(waits).toEqual([process.pid])
  })

  it('takes over the lock of a dead process', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'setup.lock')
    const { pid } = spawnSync('true')
    await writeFile(path, `${pid} 12345\n`)
    expect(await withLock(path, () => Promise.resolve('in'), { pollMs: 2 })).toBe('in')
  })

  it.skipIf(!existsSync('/proc/self/stat'))('is not fooled by a process number that was handed out again', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'setup.lock')
    await writeFile(path, `${process.pid} 1\n`)
    expect(await withLock(path, () => Promise.resolve('in'), { pollMs: 2 })).toBe('in')
  })

  it('stays with the child that it was handed to', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'setup.lock')
    const child = spawn('sleep', ['0.2'])
    const waits: (number | undefined)[] = []
    const parent = withLock(path, async (lock) => {
      await lock.handTo(child.pid ?? 0)
      await once(child, 'exit')
    })
    await sleep(50)
    await withLock(path, () => Promise.resolve(), { pollMs: 2, onWait: (pid) => waits.push(pid) })
    await parent
    expect(waits).toEqual([child.pid])
  })

  it('is free again after the work failed', async () => {
    await using folder = await scratch()
    const path = join(folder.path, 'setup.lock')
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withLock(path, () => Promise.resolve('in'))).toBe('in')
  })
})
