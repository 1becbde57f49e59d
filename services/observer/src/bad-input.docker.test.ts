import { setTimeout as sleep } from 'node:timers/promises'
import { deriveToken } from '@landfall/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildObserver, Observer, Victim } from './testing/containers.ts'

/**
 * What a victim can do to be looked at badly, in real victims. The observer has 256 MiB here and is killed by the
 * kernel at the first byte more, its store of evidence included.
 */
const token = deriveToken('canary', 'fix', 'site')
const tokens = [{ token, fixture: 'fix', site: 'site' }]
const home = '/home/node'
const mebibyte = 1024 * 1024
const limit = 256 * mebibyte
const evidence = 'size=32m,mode=0700'
const tight = { evidence, host: { Memory: limit, MemorySwap: limit } }

/** Runs JavaScript in the victim, where names are bytes and no shell is in the way. */
async function script(victim: Victim, source: string): Promise<void> {
  const prelude = `const fs = require('fs'); const bytes = (t) => Buffer.from(t, 'latin1');`
  const { exitCode, output } = await victim.container.exec(['node', '-e', prelude + source])
  expect([exitCode, output]).toEqual([0, ''])
}

/** Highest memory of the observer's control group, in MiB, whichever version of groups the machine has. */
async function peakMiB(observer: Observer): Promise<number> {
  const files = '/sys/fs/cgroup/memory.peak /sys/fs/cgroup/memory/memory.max_usage_in_bytes'
  const { output } = await observer.container.exec(['sh', '-c', `cat ${files} 2> /dev/null`])
  const peak = Number(output.trim())
  expect(peak).toBeGreaterThan(0)
  return Math.round(peak / mebibyte)
}

/**
 * Asks for the observer's health until `work` is done. Answers what part of that time the longest answer took: it
 * would be near to all of it if the observer did one thing at a time.
 */
async function longestWait(observer: Observer, work: Promise<unknown>): Promise<number> {
  const state = { done: false, longest: 0 }
  const begin = performance.now()
  const finish = (): void => {
    state.done = true
  }
  // What fails is told where it is awaited.
  void work.then(finish, finish)
  while (!state.done) {
    const from = performance.now()
    expect(await observer.isHealthy()).toBe(true)
    state.longest = Math.max(state.longest, performance.now() - from)
    await sleep(20)
  }
  return state.longest / (performance.now() - begin)
}

beforeAll(buildObserver)

describe('an observer with 256 MiB', () => {
  it('sees 300,000 new files: lists what it may, searches all, says so, and goes on answering', async () => {
    await using observer = await Observer.start({}, tight)
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1', tokens })
    await script(
      victim,
      `for (let d = 0; d < 300; d += 1) {
        fs.mkdirSync('/tmp/d' + d)
        for (let f = 0; f < 1000; f += 1) fs.writeFileSync('/tmp/d' + d + '/file-' + f, f % 100 ? '' : String(f))
      }
      fs.writeFileSync('/tmp/zz-last', '${token}')`,
    )
    await victim.kill()
    const end = observer.end('t1')
    const wait = await longestWait(observer, end)
    const seen = await end
    expect(seen.entriesAfter - seen.entriesBefore).toBe(300 + 300_000 + 1)
    expect(seen.sightings).toMatchObject([{ path: '/tmp/zz-last' }])
    expect(seen.blindness).toMatchObject([{ kind: 'entries' }])
    expect(wait).toBeLessThan(0.5)
    const peak = await peakMiB(observer)
    process.stdout.write(
      `300,000 files: after-manifest in ${Math.round(seen.afterMs)} ms, ${seen.changes.length} listed, ` +
        `longest wait for an answer ${Math.round(100 * wait)} % of that, peak memory ${peak} MiB\n`,
    )
    expect(peak).toBeLessThanOrEqual(256)
  })

  it('takes sparse terabytes, names of control bytes, pipes, sockets and a tree without a bottom', async () => {
    await using observer = await Observer.start({}, tight)
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1', tokens })
    await script(
      victim,
      `process.chdir('${home}')
      fs.truncateSync((fs.writeFileSync('sparse', '${token}'), 'sparse'), 2 ** 40)
      for (let b = 1; b < 32; b += 1) fs.writeFileSync(bytes(String.fromCharCode(b).repeat(255)), 'x')
      require('child_process').execFileSync('mkfifo', ['pipe'])
      require('net').createServer().listen('socket').unref()
      process.chdir('/tmp')
      for (let d = 0; d < 6000; d += 1) { fs.mkdirSync('0123456789abcde'); process.chdir('0123456789abcde') }
      process.nextTick(() => process.reallyExit(0))`,
    )
    await victim.kill()
    const from = performance.now()
    const seen = await observer.end('t1')
    const took = Math.round(performance.now() - from)
    expect(seen.sightings).toMatchObject([{ path: `${home}/sparse`, offset: 0 }])
    const byPath = new Map(seen.changes.map((change) => [change.path, change]))
    expect(byPath.get(`${home}/sparse`)?.after?.size).toBe(2 ** 40)
    expect(byPath.get(`${home}/${'%01'.repeat(255)}`)?.after?.type).toBe('file')
    expect(byPath.get(`${home}/pipe`)?.after?.type).toBe('fifo')
    expect(byPath.get(`${home}/socket`)?.after?.type).toBe('socket')
    // Names to the limit, and one sentence about the rest.
    expect(new Set(seen.blindness.map(({ kind }) => kind))).toEqual(new Set(['depth', 'entries']))
    expect(seen.evidence.notStored).toContainEqual({ path: `${home}/sparse`, size: 2 ** 40, reason: 'too-large' })
    process.stdout.write(`a tree of 6,000 levels and more: ${took} ms, peak memory ${await peakMiB(observer)} MiB\n`)
    expect(await observer.isHealthy()).toBe(true)
  })

  it('comes to an end on a victim that writes as fast as it can and never stops', async () => {
    await using observer = await Observer.start({}, tight)
    await using victim = await Victim.start(observer, 't1')
    const writer = `for (let i = 0; ; i += 1) {
      const name = '${home}/f' + process.pid + '-' + (i % 500);
      try { i % 3 ? fs.writeFileSync(name, String(i).repeat(i % 1000)) : fs.renameSync(name, name + 'x') } catch {};
      if (i % 7 === 0) try { fs.rmSync('${home}/f' + process.pid + '-' + ((i * 31) % 500)) } catch {};
    }`
    await victim.sh(
      `for n in 1 2; do node -e "const fs = require('fs'); ${writer.replaceAll('\n', ' ')}" > /dev/null 2>&1 & done`,
    )
    // It writes while the first manifest is taken and while the second is.
    for (const round of ['r1', 'r2']) {
      await observer.begin({ trial: round, marker: 't1', tokens })
      const end = observer.end(round)
      await longestWait(observer, end)
      const seen = await end
      expect(seen.changes.length).toBeGreaterThan(0)
      for (const { kind } of seen.blindness) expect(['vanished', 'unreadable']).toContain(kind)
    }
  })

  it('holds out when the victim dies before the begin, in the middle of the end, and is removed then', async () => {
    await using observer = await Observer.start({}, tight)
    await using dead = await Victim.start(observer, 'dead')
    await dead.kill()
    await expect(observer.begin({ trial: 'dead' })).rejects.toThrow('answered 404')
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1', tokens })
    await script(victim, `for (let f = 0; f < 5000; f += 1) fs.writeFileSync('${home}/f' + f, 'x')`)
    const [seen] = await Promise.all([observer.end('t1'), victim.remove()])
    // All of it was there, or something is said to be lost: never nothing and no word.
    if (seen.changes.length < 5_000) expect(seen.blindness.length).toBeGreaterThan(0)
    expect(seen.changes.filter(({ kind }) => kind === 'removed')).toEqual([])
    await using next = await Victim.start(observer, 't2')
    await observer.begin({ trial: 't2', tokens })
    await next.sh(`echo ${token} > ${home}/a`)
    expect((await observer.end('t2')).sightings).toMatchObject([{ path: `${home}/a` }])
  })

  it('keeps what was written until its disk is full, and is blind then', async () => {
    await using observer = await Observer.start({}, { ...tight, evidence: 'size=64k,mode=0700' })
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1' })
    await script(victim, `fs.writeFileSync('${home}/a', 'kept'); fs.writeFileSync('${home}/b', Buffer.alloc(100000))`)
    const seen = await observer.end('t1')
    const [kept] = seen.evidence.stored
    expect(seen.evidence.stored).toHaveLength(1)
    expect((await observer.evidence(kept?.sha256 ?? ''))?.toString()).toBe('kept')
    expect(seen.evidence.notStored).toEqual([{ path: `${home}/b`, size: 100_000, reason: 'failed' }])
    expect(seen.blindness).toMatchObject([{ kind: 'evidence', path: `${home}/b` }])
  })

  it.each(['0', '1000'] as const)(
    'has no victim of uid %s that can mount something over what is seen',
    async (user) => {
      await using observer = await Observer.start({}, tight)
      await using victim = await Victim.start(observer, 't1', user)
      for (const attempt of [
        'unshare -rm true',
        'unshare -m true',
        'mount -t tmpfs none /tmp',
        `mount --bind /tmp /etc`,
      ]) {
        expect([attempt, (await victim.sh(attempt)).exitCode]).not.toEqual([attempt, 0])
      }
    },
  )
})
