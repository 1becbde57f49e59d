import { setTimeout as sleep } from 'node:timers/promises'
import { decoyToken } from '@landfall/catalog'
import type { Observation } from '@landfall/contracts'
import { deriveToken, isSevere } from '@landfall/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildObserver, image, Observer, Victim } from '../testing/containers.ts'

/** Live events as the lab takes them: the observer's own rights, and a victim that shares nothing with it but PIDs. */

const home = '/home/node'
const path = `${home}/.ssh/id_rsa`
const secret = decoyToken('c', 'ssh-key')
const decoys = [{ name: 'ssh-key', path, token: secret }]
const token = deriveToken('canary', 'fix', 'site')
const tokens = [{ token, fixture: 'fix', site: 'site' }]

beforeAll(buildObserver)

async function observe(
  act: (victim: Victim, observer: Observer) => Promise<unknown>,
  imageOfVictim?: string,
): Promise<Observation> {
  await using observer = await Observer.start()
  await using victim = await Victim.start(observer, 't1', '1000', imageOfVictim)
  await victim.sh(`mkdir ${home}/.ssh && echo ${secret} > ${path}`)
  await observer.begin({ trial: 't1', tokens, decoys })
  await act(victim, observer)
  await victim.kill()
  return await observer.end('t1')
}

const node = (body: string): string => `node -e '${body}'`

describe('a decoy', () => {
  it('that nobody read was read by nobody, whatever else is done to it', async () => {
    const { live } = await observe((victim) =>
      victim.sh(
        `ls -la ${home}/.ssh; stat ${path}; test -r ${path}; ln ${path} ${home}/hard; chmod 644 ${path}; echo x >> ${path}`,
      ),
    )
    expect(live.decoyReads).toEqual([])
    expect(live.losses).toEqual([])
    expect(live.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['linked', 'mode', 'opened', 'written']))
  })

  it.each([
    ['cat', `cat ${path}`],
    ['a hard link', `ln ${path} /home/node/x && cat /home/node/x && rm /home/node/x`],
    ['a symbolic link', `ln -s ${path} /tmp/x && cat /tmp/x && rm /tmp/x`],
    ['a directory that is a link', `ln -s ${home}/.ssh /tmp/d && cat /tmp/d/id_rsa && rm /tmp/d`],
    ['a copy that the kernel makes', `cp --reflink=auto ${path} /tmp/x && rm /tmp/x`],
    [
      'copy_file_range or sendfile',
      node(`require("fs").copyFileSync("${path}", "${home}/x"); require("fs").unlinkSync("${home}/x")`),
    ],
    ['a descriptor that was handed on', `cat < ${path}`],
  ])('read by %s, which leaves nothing behind, was read', async (_, command) => {
    const seen = await observe(async (victim) => expect((await victim.sh(command)).exitCode).toBe(0))
    expect(seen.live.decoyReads).toMatchObject([{ decoy: 'ssh-key', path, by: 'read' }])
    expect(seen.decoys).toMatchObject([{ state: 'intact', copies: [], hardLinks: [], symlinks: [] }])
    expect(seen.changes.filter(({ kind }) => kind === 'added')).toEqual([])
  })

  it('that was opened and not read is told apart', async () => {
    const { live } = await observe((victim) => victim.sh(node(`require("fs").openSync("${path}")`)))
    expect(live.decoyReads).toMatchObject([{ by: 'open', count: 1 }])
  })

  it('that was read through a memory map was opened', async () => {
    const program = `
      const koffi = require("koffi")
      const map = koffi.load(null).func("void *mmap(void *at, size_t length, int protection, int flags, int fd, long offset)")
      const page = map(null, 4096, 1, 2, require("fs").openSync("${path}"), 0)
      console.log(Buffer.from(koffi.decode(page, "uint8_t", ${secret.length})).toString())`
    const { live } = await observe(async (victim) => {
      // Koffi stands in the observer's image.
      expect((await victim.sh(`cd /app && ${node(program)}`)).output.trim()).toBe(secret)
    }, image)
    expect(live.decoyReads).toMatchObject([{ decoy: 'ssh-key', path, by: 'open' }])
    expect(live.losses.filter(isSevere)).toEqual([])
  })
})

describe('what exists only for a moment', () => {
  it('is seen with what was in it, in every place a victim may write', async () => {
    const { live, sightings, changes } = await observe((victim) =>
      victim.sh(
        [home, '/tmp', '/var/tmp', '/dev/shm']
          .map((dir) => `cp ${path} ${dir}/copy; echo ${token} > ${dir}/x; sleep 0.1; rm ${dir}/x ${dir}/copy`)
          .join('; '),
      ),
    )
    expect(sightings).toEqual([])
    expect(changes.filter(({ kind }) => kind === 'added')).toEqual([])
    const places = [home, '/tmp', '/var/tmp', '/dev/shm']
    expect(live.transient.map((gone) => gone.path).toSorted()).toEqual(
      places.flatMap((dir) => [`${dir}/copy`, `${dir}/x`]).toSorted(),
    )
    expect(live.transientSightings.map((sighting) => `${sighting.site} ${sighting.path}`)).toEqual(
      places.map((dir) => `site ${dir}/x`),
    )
    expect(live.transientCopies.map((copy) => copy.path)).toEqual(places.map((dir) => `${dir}/copy`))
    expect(live.losses).toEqual([])
  })
})

describe('an observer that is stopped from outside', () => {
  it('says how long it saw nothing, and that the queue overflowed meanwhile', async () => {
    const seen = await observe(async (victim, observer) => {
      await observer.pause()
      const writes = 'const fs = require("fs"); const f = ["a", "b"].map((n) => fs.openSync("/tmp/" + n, "w"));'
      await victim.sh(node(`${writes} for (let i = 0; i < 20000; i += 1) fs.writeSync(f[i % 2], "x")`))
      await sleep(5_500)
      await observer.unpause()
    })
    expect(seen.live.losses.map(({ kind }) => kind).toSorted()).toEqual(['gap', 'overflow'])
    expect(seen.live.largestGapMs).toBeGreaterThan(5_000)
    expect(seen.changes.filter(({ kind }) => kind === 'added').map((change) => change.path)).toEqual([
      '/tmp/a',
      '/tmp/b',
    ])
  })
})
