import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { labels, Observation, parseAs, type TrialResult } from '@landfall/contracts'
import { z } from 'zod'
import { connectEngine } from '../../runner/src/engine.ts'
import { type Running, runIdOf, untilPrinted, Workplace } from './landfall.ts'

/** A run in which something is done to the lab while a host of the test's own is in the middle of its step. */
const engine = await connectEngine()
const host = 'late'
/** The two waits of the host: the first is what a test acts in, the second what it sees the end of the work by. */
export const waits = ['sleep 4', 'sleep 3'] as const
const patienceMs = 90_000

export interface Scene {
  /** Containers: the victim, the one whose PID namespace it is in, and the run's others by service. */
  readonly victim: string
  readonly observer: string
  readonly service: (name: string) => Promise<string>
}

export interface Disturbed {
  readonly exitCode: number | undefined
  readonly stderr: string
  /** The trial that was hit, and what the run finished from it on. */
  readonly hit: TrialResult
  readonly since: readonly TrialResult[]
  readonly observation: Observation
}

/**
 * Runs one trial after the other on a host that takes its time, does `work`, and extracts as `unzip` does, which
 * nothing lands on. `disturb` is called once, in the first wait of the first such trial.
 */
export async function runDisturbed(
  disturb: (scene: Scene) => Promise<unknown>,
  { work = 'true', env = {} }: { work?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Disturbed> {
  await using place = await Workplace.create()
  const hosts = await place.copyHosts()
  const script = `${waits[0]}; ${work}; ${waits[1]}; exec unzip -o -q "$1" -d "$2"`
  const run = ['sh', '-c', script, host, '{archive}', '{dest}']
  const profile = { id: host, title: 'Late', kind: 'extractor', channels: ['archive-file'], version: ['unzip', '-v'] }
  await writeFile(
    join(hosts, `${host}.yaml`),
    JSON.stringify({ ...profile, needs: { apt: ['unzip'] }, install: [{ format: 'zip', run }] }),
  )
  const args = ['--fixtures', 'adv-zip-traversal', '--hosts', host, '--hosts-dir', hosts, '--jobs', '1']
  const child = place.run(args, { env })
  const id = await announced(child)
  const scene = await sceneOf(id, child)
  await disturb(scene)
  const { exitCode, stderr } = await child
  const lines = (await place.readLines(id)).filter(({ evidence }) => evidence !== '')
  const first = lines.findIndex((line) => line.host === host)
  const hit = lines[first]
  if (hit === undefined) throw new Error(`no trial of the late host was finished:\n${stderr}`)
  const file = join(place.results, id, hit.evidence, 'observation.json')
  const observation = parseAs(Observation, JSON.parse(await readFile(file, 'utf8')), file)
  return { exitCode, stderr, hit, since: lines.slice(first), observation }
}

/** Resolves once the victim runs exactly this command. */
export async function untilRuns(victim: string, command: string): Promise<void> {
  await until(`the victim runs ${command}`, async () => {
    const { Processes } = Top.parse(await engine.getContainer(victim).top({ ps_args: '-eo pid,args' }))
    return Processes.some(([, args]) => args === command) ? true : undefined
  })
}

/** Executes a command in the observer's container, from outside, as the user that the observer has become. */
export async function execInObserver(observer: string, command: readonly string[]): Promise<void> {
  const options = { User: '3960:3960', Cmd: [...command], AttachStdout: true, AttachStderr: true }
  const exec = await engine.getContainer(observer).exec(options)
  const stream = await exec.start({ hijack: true, stdin: false })
  stream.resume()
  await until('the command ends', async () => ((await exec.inspect()).Running ? undefined : true))
}

const Top = z.object({ Processes: z.array(z.array(z.string())) })

async function announced(child: Running): Promise<string> {
  let text = ''
  child.all?.on('data', (data: Buffer) => (text += data.toString()))
  await untilPrinted(child, /^Lab ready/)
  return runIdOf(text)
}

async function sceneOf(run: string, child: Running): Promise<Scene> {
  let ended = false
  void child.then(() => (ended = true))
  const ofRun = async () => await engine.listContainers({ filters: { label: [`${labels.run}=${run}`] } })
  const victim = await until('a trial of the late host begins', async () => {
    if (ended) throw new Error(`the run ended before:\n${(await child).all}`)
    return (await ofRun()).find(({ Labels }) => Labels[labels.trial]?.includes(`.${host}.`))?.Id
  })
  await untilRuns(victim, waits[0])
  const { HostConfig } = await engine.getContainer(victim).inspect()
  return {
    victim,
    observer: HostConfig.PidMode?.replace(/^container:/, '') ?? '',
    service: async (name) => {
      const found = (await ofRun()).find(({ Labels }) => Labels['com.docker.compose.service'] === name)
      if (found === undefined) throw new Error(`the run has no ${name}`)
      return found.Id
    },
  }
}

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await delay(100)) {
    const answer = await ask()
    if (answer !== undefined) return answer
  }
  throw new Error(`waited in vain until ${what}`)
}
