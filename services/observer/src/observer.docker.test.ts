import { setTimeout as sleep } from 'node:timers/promises'
import { decoyToken, findFixture, fixtureTokens } from '@landfall/catalog'
import { deriveCanary, deriveToken, manualTrial } from '@landfall/contracts'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildObserver, Observer, Victim } from './testing/containers.ts'

const token = deriveToken('canary', 'fix', 'site')
const tokens = [{ token, fixture: 'fix', site: 'site' }]
const home = '/home/node'

beforeAll(buildObserver)

describe('an observed victim', () => {
  it('hides nothing by killing itself: root, tmpfs and /dev/shm are seen after its death', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await victim.sh(`mkdir ${home}/.ssh && echo ${decoyToken('c', 'ssh-key')} > ${home}/.ssh/id_rsa`)
    const decoys = [{ name: 'ssh-key', path: `${home}/.ssh/id_rsa`, token: decoyToken('c', 'ssh-key') }]
    const started = await observer.begin({ trial: 't1', tokens, decoys })
    expect(started.entries).toBeGreaterThan(1_000)
    await victim.sh(
      [
        `cd ${home}`,
        `echo ${token} > a`,
        `mkfifo pipe-${token}`,
        `ln -s /proc/self/environ env; ln -s ../node/.ssh/id_rsa link; ln .ssh/id_rsa hard`,
        `echo ${token} > /dev/shm/b`,
        `echo ${token} > /tmp/c`,
        `node -e 'require("fs").writeFileSync(Buffer.from([47,116,109,112,47,255,10]), "${token}")'`,
        'kill -9 -1',
      ].join('; '),
    )
    await victim.kill()
    const seen = await observer.end('t1')
    expect(seen.blindness).toEqual([])
    expect(seen.sightings.map(({ path, place }) => `${place} ${path}`).toSorted()).toEqual(
      [
        'content /dev/shm/b',
        `content ${home}/a`,
        'content /tmp/%FF%0A',
        'content /tmp/c',
        `name ${home}/pipe-${token}`,
      ].toSorted(),
    )
    expect(seen.decoys).toMatchObject([
      { state: 'intact', hardLinks: [`${home}/hard`], symlinks: [`${home}/link`], copies: [] },
    ])
    const expected = ['/', '/dev/shm', '/dev/shm/b', '/home', home, `${home}/.ssh`, `${home}/.ssh/id_rsa`, `${home}/a`]
    const rest = ['env', 'hard', 'link', `pipe-${token}`].map((name) => `${home}/${name}`)
    const changed = seen.changes.map(({ path }) => path).filter((path) => !expected.includes(path))
    expect(changed.toSorted()).toEqual([...rest, '/tmp', '/tmp/%FF%0A', '/tmp/c'].toSorted())
  })

  it('is not written to by being observed', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1' })
    await victim.kill()
    const seen = await observer.end('t1')
    expect(await victim.engineChanges()).toEqual([])
    expect(seen).toMatchObject({ changes: [], blindness: [] })
  })

  it('that the engine has removed is lost, not clean', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await observer.begin({ trial: 't1', tokens })
    await victim.sh(`echo ${token} > ${home}/a`)
    await victim.remove()
    const seen = await observer.end('t1')
    expect(seen.blindness).toMatchObject([{ kind: 'root-lost', path: '/' }])
    expect(seen.changes.filter(({ kind }) => kind === 'removed')).toEqual([])
  })

  it('is not found under another mark', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    await expect(observer.begin({ trial: 't2' })).rejects.toThrow('answered 404')
    expect((await victim.sh('true')).exitCode).toBe(0)
  })
})

describe('the observer', () => {
  it.each(['0', '1000'] as const)('cannot be signalled or read by a victim of uid %s', async (user) => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1', user)
    const { pid } = await observer.begin({ trial: 't1', tokens })
    expect(pid).toBeGreaterThan(1)
    // Refused, not merely without effect: what the kernel drops at a PID 1 can end it while its first thread blocks it.
    const signals = await victim.sh('for signal in $(seq 0 64); do kill -$signal 1 2>&1; done')
    const answers = signals.output.split('\n').filter((line) => line !== '')
    expect(answers).toEqual(
      Array.from({ length: 65 }, () => expect.stringMatching(/kill: Operation not permitted$/) as string),
    )
    for (const attack of [
      'ls /proc/1/root/',
      'ls /proc/1/cwd/',
      'readlink /proc/1/fd/0',
      'head -c 1 /proc/1/environ',
      'head -c 1 /proc/1/mem',
      'prlimit --pid 1 --cpu=1:1',
      'prlimit --pid 1 --nofile=0:0',
      'prlimit --pid 1 --as=1:1',
      'renice -n 19 -p 1',
    ]) {
      expect([attack, (await victim.sh(attack)).exitCode]).not.toEqual([attack, 0])
    }
    expect((await victim.sh("sed -n 's/^State:.//p' /proc/1/status")).output).toMatch(/^[SR]/)
    expect(await observer.isHealthy()).toBe(true)
    await victim.sh(`echo ${token} > /tmp/a`)
    await victim.kill()
    expect((await observer.end('t1')).sightings).toMatchObject([{ path: '/tmp/a' }])
  })

  it('reaps the orphans that victims leave to it', async () => {
    await using observer = await Observer.start()
    await using victim = await Victim.start(observer, 't1')
    const count = (state: string): string =>
      `n=0; for s in /proc/[0-9]*/stat; do read -r line < $s && set -- \${line##*) } && [ "$2" = 1 ] && case $1 in ${state}) n=$((n + 1));; esac; done; echo $n`
    await victim.sh('i=0; while [ $i -lt 40 ]; do (sleep 3 > /dev/null 2>&1 &); i=$((i + 1)); done')
    // They must have become the observer's for the test to mean anything.
    expect(Number((await victim.sh(count('[SR]'))).output)).toBeGreaterThanOrEqual(40)
    await sleep(4_000)
    expect((await victim.sh(count('Z'))).output.trim()).toBe('0')
    expect(Number((await victim.sh(count('[SR]'))).output)).toBeLessThan(5)
  })

  it('prints landings of the victim that is driven by hand', async () => {
    await using observer = await Observer.start({ LANDFALL_WATCH: 'manual', LANDFALL_DEMO_SEED: 'seed' })
    await using victim = await Victim.start(observer, manualTrial)
    const row = findFixture('adv-zip-traversal')
    const site =
      row && fixtureTokens(row, deriveCanary('seed', manualTrial)).find(({ site }) => site === 'escape-absolute')
    await sleep(1_500)
    await victim.sh(`echo ${site?.token} > /tmp/landed`)
    let logs = ''
    for (let tries = 0; tries < 20 && !logs.includes('LANDED'); tries += 1) logs = await observer.logs()
    expect(logs).toContain(
      'LANDED adv-zip-traversal/escape-absolute: a file was written at an absolute path -> /tmp/landed',
    )
  })
})
