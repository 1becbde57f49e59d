import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildObserver, Observer, Victim } from '../testing/containers.ts'

beforeAll(buildObserver)

const mebibyte = 1024 * 1024

describe('processes of a victim', () => {
  it('are seen with parent, command line, time and memory, without the engine', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1' })
    await victim.sh(
      [
        'dd if=/dev/zero of=/tmp/big bs=1M count=20 2> /dev/null; rm /tmp/big',
        `node -e 'const b = Buffer.alloc(100 * 1024 * 1024, 1); while (process.cpuUsage().user < 500000); b.at(0)' '<b>' "$(printf 'a\\nb')"`,
        'head -c 3000000 /dev/zero > /home/node/kept',
        'sh -c "sleep 1; exec sleep 2"',
      ].join('; '),
    )
    await victim.kill()
    const { processes } = await observer.end('t1')
    const { list, totals, samples, largestGapMs, costMs } = processes
    const programs = list.map(({ commands }) => commands.map(({ argv }) => argv.slice(0, 1).join()).join(' '))
    expect(programs).toContain('node')
    expect(list.filter(({ before }) => before === true).map(({ commands }) => commands[0]?.argv[0])).toContain('sleep')
    const node = list.find(({ commands }) => commands.at(-1)?.argv[0] === 'node')
    expect(node?.commands.at(-1)?.argv.slice(-2)).toEqual(['<b>', 'a%0Ab'])
    expect(node?.commands.at(-1)?.exe).toMatch(/\/node$/)
    expect(node).toMatchObject({ uid: 1000 })
    expect(list.map(({ pid }) => pid)).toContain(node?.ppid)
    expect(node?.cpuSeconds).toBeGreaterThan(0.4)
    expect(node?.peakBytes).toBeGreaterThan(100 * mebibyte)
    // A sample may also find what it was before it ran its first program.
    const ran = list.map(({ commands }) => commands.map(({ argv }) => argv.join(' ')))
    expect(ran.filter((each) => each.length >= 2).map((each) => each.at(-1))).toContain('sleep 2')
    expect(totals.peakProcessBytes).toBe(node?.peakBytes)
    expect(totals.cpuSeconds).toBeGreaterThan(0.4)
    expect(totals.writtenBytes).toBeGreaterThan(3_000_000)
    // The file on the tmpfs lived for a few milliseconds at least, or for a sample: what is seen is a lower bound.
    expect(totals.tmpfsBytes).toBeLessThanOrEqual(20 * mebibyte)
    expect(totals.newInodes).toBe(1)
    expect(samples).toBeGreaterThan(20)
    const wall = Math.max(...list.map(({ lastSeenMs }) => lastSeenMs))
    process.stderr.write(
      `processes: ${samples} samples in ${Math.round(wall)} ms, largest gap ${largestGapMs.toFixed(1)} ms, ` +
        `cost ${((100 * costMs) / wall).toFixed(2)} % of the time\n`,
    )
    expect(costMs / wall).toBeLessThan(0.1)
  })

  it('may be thousands: the observer lists what it can, counts the rest, and stays cheap', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1' })
    // Longer than the rest takes on any machine: they end with the victim.
    await victim.sh('i=0; while [ $i -lt 200 ]; do (sleep 200 > /dev/null 2>&1 &); i=$((i + 1)); done')
    await victim.sh('i=0; while [ $i -lt 3000 ]; do (:); i=$((i + 1)); done')
    await sleep(500)
    expect(await observer.isHealthy()).toBe(true)
    await victim.kill()
    const { processes } = await observer.end('t1')
    expect(processes.totals.peakProcesses).toBeGreaterThan(200)
    expect(processes.list.length).toBeLessThanOrEqual(1_000)
    const wall = Math.max(...processes.list.map(({ lastSeenMs }) => lastSeenMs))
    process.stderr.write(
      `200 processes and 3,000 short ones: ${processes.samples} samples in ${Math.round(wall)} ms, ` +
        `${processes.list.length} listed, cost ${((100 * processes.costMs) / wall).toFixed(1)} % of the time\n`,
    )
    expect(processes.costMs / wall).toBeLessThan(0.2)
  })
})
