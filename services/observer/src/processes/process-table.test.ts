import { describe, expect, it } from 'vitest'
import { identity, ProcessTable, tableLimits } from './process-table.ts'
import type { Command, ProcessReading } from './read-process.ts'

interface Some {
  readonly pid?: number
  readonly ppid?: number
  readonly started?: string
  readonly state?: string
  readonly own?: number
  readonly child?: number
  readonly stack?: string
  readonly peak?: number
  readonly resident?: number
  readonly written?: number
  readonly name?: string
}

function reading(some: Some = {}): ProcessReading {
  const { pid = 7, ppid = 1, started = '100', state = 'S', own = 0, child = 0, stack = 's1', name = 'sh' } = some
  const { peak = 0, resident = 0, written = 0 } = some
  return {
    pid,
    stat: { name, state, ppid, ownTicks: own, childTicks: child, started, stack },
    status: { uid: 1000, peakBytes: peak, residentBytes: resident },
    io: { writtenBytes: written, diskBytes: written },
  }
}

const command =
  (...argv: string[]) =>
  (): Command => ({ argv, cut: false, exe: '/bin/sh' })

function sampled(samples: readonly Some[][], table = new ProcessTable()) {
  for (const [index, sample] of samples.entries()) {
    for (const some of sample) table.see(reading(some), index * 25, command('sh', String(index)))
    table.finish()
  }
  return table.result()
}

describe('the table of processes', () => {
  it('tells what was there at the begin from what came, and counts from the begin', () => {
    const { list, totals } = sampled([
      [{ pid: 7, own: 500, written: 100 }],
      [
        { pid: 7, own: 510, written: 150 },
        { pid: 8, own: 20, started: '101', written: 5 },
      ],
      [{ pid: 7, own: 510, written: 155 }],
    ])
    expect(list).toMatchObject([
      { pid: 7, before: true, cpuSeconds: 0.1, writtenBytes: 55, firstSeenMs: 0, lastSeenMs: 50 },
      { pid: 8, cpuSeconds: 0.2, writtenBytes: 5, firstSeenMs: 25, lastSeenMs: 25 },
    ])
    expect(list[1]).not.toHaveProperty('before')
    expect(totals).toMatchObject({ cpuSeconds: 0.3, peakProcesses: 2, writtenBytes: 55 })
  })

  it('counts the time of children that were never seen, and none twice', () => {
    expect(sampled([[{ own: 10, child: 10 }], [{ own: 10, child: 60 }]]).totals.cpuSeconds).toBe(0.5)
    const seenChild = sampled([[{ pid: 7 }], [{ pid: 7 }, { pid: 8, own: 30 }], [{ pid: 7, child: 30 }]])
    expect(seenChild.totals.cpuSeconds).toBe(0.3)
  })

  it('is not misled by a pid that is given again', () => {
    const { list } = sampled([[{ pid: 7, started: '1', own: 50 }], [{ pid: 7, started: '2', own: 3 }]])
    expect(list).toMatchObject([{ cpuSeconds: 0 }, { cpuSeconds: 0.03 }])
    expect(identity(reading({ started: '1' }))).not.toBe(identity(reading({ started: '2' })))
  })

  it('keeps each program that a process runs', () => {
    const { list } = sampled([[{ stack: 'a' }], [{ stack: 'a' }], [{ stack: 'b' }], [{ stack: 'c', state: 'Z' }]])
    expect(list[0]?.commands.map(({ argv }) => argv[1])).toEqual(['0', '2'])
  })

  it('writes hostile names as bytes', () => {
    const table = new ProcessTable()
    table.see(reading({ name: '<b>\n\u00ff' }), 0, command('%', '\u0080'))
    table.finish()
    expect(table.result().list[0]).toMatchObject({ name: '<b>%0A%FF', commands: [{ argv: ['%25', '%80'] }] })
  })

  it('of thousands of processes lists the first, counts the others, and loses none of their use', () => {
    const table = new ProcessTable({ ...tableLimits, listed: 10 })
    const crowd = Array.from({ length: 5_000 }, (_, index) => ({ pid: index + 10, own: 1, resident: 100 }))
    const { list, unlisted, totals } = sampled([[], crowd], table)
    expect([list.length, unlisted]).toEqual([10, 4_990])
    expect(totals).toMatchObject({ cpuSeconds: 50, peakSumBytes: 500_000, peakProcesses: 5_000 })
  })

  it('keeps command lines within their limit, and says which it left out', () => {
    const table = new ProcessTable({ ...tableLimits, commandBytes: 30 })
    for (const pid of [2, 3, 4]) table.see(reading({ pid }), 0, command('x'.repeat(10)))
    table.finish()
    expect(table.result().list.map(({ commands }) => commands[0]?.cut ?? false)).toEqual([false, true, true])
  })

  it('says no use of tmpfs without one, and its peak with one', () => {
    const table = new ProcessTable()
    for (const bytes of [100, 900, 200]) table.finish({ bytes, inodes: bytes / 100 })
    expect(table.result().totals).toMatchObject({ tmpfsBytes: 800, tmpfsInodes: 8 })
    expect(sampled([[], []]).totals).not.toHaveProperty('tmpfsBytes')
  })
})
