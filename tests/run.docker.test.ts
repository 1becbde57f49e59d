import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runIdOf, untilPrinted, Workplace } from './support/landfall.ts'
import { thingsOf } from './support/things.ts'

const small = ['--fixtures', 'adv-zip-traversal', '--hosts', 'unzip,python-zipfile', '--seed', '7']
const finishedTrial = /^\[\d+\/\d+\] /

describe('landfall run', () => {
  it('ends with a matrix, results that keep their contract, evidence, and nothing left in the engine', async () => {
    await using place = await Workplace.create()
    const { exitCode, stdout, stderr } = await place.run(small)
    expect(stderr).not.toMatch(/^landfall:/m)
    expect(exitCode).toBe(0)
    const results = await place.readResults()
    expect(results.controls.map(({ name, passed }) => [name, passed])).toEqual([
      ['naive', true],
      ['inert', true],
      ['benign', true],
      ['isolation', true],
      ['witnesses', true],
    ])
    expect(results.trials.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
    const naive = results.trials.find(({ fixture, host }) => fixture === 'adv-zip-traversal' && host === 'naive')
    expect(naive).toMatchObject({ outcome: 'landed', verdict: 'fail' })
    expect(naive?.sites.map(({ site }) => site)).toContain('escape-absolute')

    const folder = join(place.results, results.run.id)
    for (const name of [
      'observation.json',
      'access.json',
      'install.json',
      'install.stdout.log',
      'install.stderr.log',
    ]) {
      expect((await stat(join(folder, naive?.evidence ?? '', name))).isFile()).toBe(true)
    }
    expect(await place.readLines(results.run.id)).toHaveLength(results.trials.length)
    expect(stdout).toContain(join(folder, 'matrix.html'))
    expect(await readFile(join(folder, 'matrix.html'), 'utf8')).toContain('escape-absolute')
    expect(await thingsOf(results.run.id)).toEqual([])
  })

  it('gives the same outcomes for the same seed, also when two runs go on at once', async () => {
    await using one = await Workplace.create()
    await using two = await Workplace.create()
    const runs = await Promise.all([one.run(small), two.run(small)])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const outcomes = async (place: Workplace) =>
      (await place.readResults()).trials.map(({ id, outcome, verdict, sites }) => ({ id, outcome, verdict, sites }))
    expect(await outcomes(one)).toEqual(await outcomes(two))
  })

  it('stops at Ctrl-C, leaves nothing behind, keeps what was finished, and goes on from there', async () => {
    await using place = await Workplace.create()
    const child = place.run(['--fixtures', 'adv-archive-traversal,adv-archive-setuid', '--jobs', '2', '--seed', '3'])
    await untilPrinted(child, finishedTrial, 4)
    child.kill('SIGINT')
    const stopped = await child
    const run = runIdOf(stopped.stderr)
    expect(stopped.exitCode).toBe(130)
    expect(stopped.stderr).toContain(`run --resume ${run}`)
    expect(await thingsOf(run)).toEqual([])
    const kept = await place.readLines(run)
    expect(kept.filter(({ evidence }) => evidence !== '').length).toBeGreaterThanOrEqual(4)

    const resumed = await place.run(['--resume', run])
    expect(resumed.exitCode).toBe(0)
    const results = await place.readResults()
    expect(results.run.id).toBe(run)
    expect(results.trials).toEqual(expect.arrayContaining(kept))
    expect(results.trials.length).toBeGreaterThan(kept.length)
    expect(await thingsOf(run)).toEqual([])
  })

  it('calls a run void, with exit code 3, when its naive host resists', async () => {
    await using place = await Workplace.create()
    const hosts = await place.copyHosts()
    const inert = await readFile(join(hosts, 'inert.yaml'), 'utf8')
    const naive = inert.replace(/^id: inert$/m, 'id: naive').replace(/^control: inert$/m, 'control: naive')
    await writeFile(join(hosts, 'naive.yaml'), naive)
    const { exitCode, stderr } = await place.run([...small, '--hosts-dir', hosts])
    expect(stderr).toMatch(/^landfall: the run is void: control naive failed/m)
    expect(exitCode).toBe(3)
  })

  it('holds landings against a baseline: what it lists is fine, what it does not is exit code 1', async () => {
    await using place = await Workplace.create()
    const baseline = join(place.folder, 'baseline.yaml')
    const args = ['--fixtures', 'adv-archive-setuid', '--hosts', 'python-tarfile', '--baseline', baseline]
    await writeFile(baseline, 'expected: []\n')
    const first = await place.run(args)
    const landed = (await place.readResults()).trials.filter(
      ({ host, outcome }) => outcome === 'landed' && host !== 'naive',
    )
    expect(landed.length).toBeGreaterThan(0)
    expect(first.stderr).toMatch(/^landfall: landings that the baseline does not expect: adv-archive-setuid/m)
    expect(first.exitCode).toBe(1)

    const entries = landed.map(({ fixture, host }) => `  - { fixture: ${fixture}, host: ${host} }\n`)
    await writeFile(baseline, `expected:\n${entries.join('')}`)
    expect((await place.run(args)).exitCode).toBe(0)
  })

  it('makes a host that hangs inconclusive, and names the step', async () => {
    await using place = await Workplace.create()
    const hosts = await place.copyHosts()
    const hang =
      'id: hang\ntitle: Hangs\nkind: extractor\nchannels: [archive-file]\nversion: [sh, -c, echo 1]\ninstall:\n'
    await writeFile(join(hosts, 'hang.yaml'), `${hang}  - { format: zip, run: [sleep, '600'], timeoutSeconds: 1 }\n`)
    const { stderr } = await place.run(['--fixtures', 'adv-zip-traversal', '--hosts', 'hang', '--hosts-dir', hosts])
    const trial = (await place.readResults()).trials.find(
      ({ fixture, host }) => host === 'hang' && fixture === 'adv-zip-traversal',
    )
    expect(trial, stderr).toMatchObject({ outcome: 'inconclusive', verdict: 'void' })
    expect(trial?.reason).toMatch(/inconclusive\(timeout\): step install/)
  })

  it.each([
    [['--fixtures', 'adv-zip-traversel'], /unknown fixture adv-zip-traversel\. Did you mean adv-zip-traversal\?/],
    [['--hosts', 'gnutar'], /unknown host gnutar\. Did you mean gnu-tar\?/],
    [['--channel', 'archive-fil'], /unknown channel archive-fil\. Did you mean archive-file\?/],
    [['--jobs', 'many'], /whole number/],
    [['--resume', '20200101-000000-ffff'], /no run 20200101-000000-ffff to resume/],
    [['--baseline', '/nowhere.yaml'], /cannot read \/nowhere\.yaml/],
    [['--resume', '../../etc'], /is not the id of a run/],
    [['--results', '/etc/hostname'], /cannot write results to \/etc\/hostname/],
    [['--results', '/proc/nowhere'], /cannot write results to \/proc\/nowhere/],
  ])('refuses %j with exit code 2 and one line', async (args, message) => {
    await using place = await Workplace.create()
    const { exitCode, stderr } = await place.run(args)
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
  })

  it('names file and line of a host profile that does not parse', async () => {
    await using place = await Workplace.create()
    const hosts = await place.copyHosts()
    await writeFile(join(hosts, 'bad.yaml'), 'id: bad\ntitle: Bad\nkind: extracter\n')
    const { exitCode, stderr } = await place.run(['--hosts-dir', hosts])
    expect(stderr).toMatch(/bad\.yaml:3/)
    expect(exitCode).toBe(2)
  })

  it('says that there is no engine with exit code 4', async () => {
    await using place = await Workplace.create()
    const env = { DOCKER_HOST: 'unix:///nowhere/docker.sock' }
    for (const command of [place.run(small, { env }), place.landfall(['clean'], { env })]) {
      const { exitCode, stderr } = await command
      expect(stderr).toMatch(/^landfall: .*engine/m)
      expect(exitCode).toBe(4)
    }
  })
})
