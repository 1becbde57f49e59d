import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Processes } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { Tree } from '../testing/tree.ts'
import { commandBytes } from './read-process.ts'
import { Sampler } from './sampler.ts'

/** A `/proc` on disk, and a clock that is set by hand. */
class Scene implements Disposable {
  readonly tree = new Tree()
  readonly proc = this.tree.dir('proc')
  now = 0
  readonly clock = { now: () => new Date(0), elapsed: () => this.now }

  process(pid: number, ppid: number, root: string, argv = 'sh\0-c\0true\0'): void {
    const folder = join(this.proc, String(pid))
    mkdirSync(folder)
    const stat = `${pid} (sh) S ${ppid} 1 1 0 -1 0 0 0 0 0 3 4 0 0 20 0 1 0 ${pid} 0 0 0 1 2 77 0 0`
    writeFileSync(join(folder, 'stat'), stat)
    writeFileSync(join(folder, 'status'), 'Uid:\t1000\t1000\t1000\t1000\nVmHWM:\t8 kB\nVmRSS:\t4 kB\n')
    writeFileSync(join(folder, 'io'), 'wchar: 9\nwrite_bytes: 0\n')
    writeFileSync(join(folder, 'cmdline'), argv, 'latin1')
    symlinkSync('/bin/dash', join(folder, 'exe'))
    symlinkSync(root, join(folder, 'root'))
  }

  start(): Sampler {
    const sampler = Sampler.start(this.tree.hold(), { clock: this.clock, proc: this.proc })
    if (sampler === undefined) throw new Error('cannot sample')
    return sampler
  }

  [Symbol.dispose](): void {
    this.tree[Symbol.dispose]()
  }
}

describe('a sampler', () => {
  it("lists the victim's processes and their children, and no others", () => {
    using scene = new Scene()
    scene.process(10, 0, scene.tree.root)
    scene.process(11, 10, '/nowhere')
    scene.process(12, 0, scene.proc)
    scene.process(13, 12, '/')
    writeFileSync(join(scene.proc, 'uptime'), '')
    using sampler = scene.start()
    const seen = Processes.parse(sampler.end())
    expect(seen.list.map(({ pid }) => pid)).toEqual([10, 11])
    expect(seen.list[0]).toMatchObject({
      ppid: 0,
      uid: 1000,
      name: 'sh',
      peakBytes: 8192,
      commands: [{ argv: ['sh', '-c', 'true'], exe: '/bin/dash' }],
    })
  })

  it('goes on when processes vanish or cannot be read', () => {
    using scene = new Scene()
    scene.process(10, 0, scene.tree.root)
    scene.process(11, 0, scene.tree.root)
    rmSync(join(scene.proc, '11', 'status'))
    mkdirSync(join(scene.proc, '12'))
    scene.process(14, 0, scene.tree.root)
    rmSync(join(scene.proc, '14', 'io'))
    using sampler = scene.start()
    rmSync(join(scene.proc, '10'), { recursive: true })
    const { list, samples } = sampler.end()
    expect(list.map(({ pid }) => pid)).toEqual([10, 14])
    expect(list[1]).not.toHaveProperty('writtenBytes')
    expect(samples).toBe(2)
  })

  it('says its largest gap, the one that still lasts included', () => {
    using scene = new Scene()
    using sampler = scene.start()
    scene.now = 400
    sampler.sample()
    scene.now = 425
    expect(sampler.result().largestGapMs).toBe(400)
    scene.now = 1_425
    expect(sampler.result()).toMatchObject({ largestGapMs: 1_025, samples: 2, intervalMs: 25 })
  })

  it('survives a sample that fails', () => {
    using scene = new Scene()
    using sampler = scene.start()
    rmSync(scene.proc, { recursive: true })
    scene.now = 90
    expect(sampler.end()).toMatchObject({ samples: 1, largestGapMs: 90 })
  })

  it('cuts a long command line and says so', () => {
    using scene = new Scene()
    scene.process(10, 0, scene.tree.root, `${'\u00e9'.repeat(commandBytes + 1)}\0`)
    using sampler = scene.start()
    const [command] = sampler.end().list[0]?.commands ?? []
    expect(command).toMatchObject({ cut: true, argv: ['%E9'.repeat(commandBytes)] })
  })
})
