import { randomBytes, randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { Channel, channels, type HostProfile, LandfallError, type Results, type users } from '@landfall/contracts'
import { withAgents } from './agents-image.ts'
import { compareWithBaseline, parseBaseline } from './baseline.ts'
import { connectEngine } from './engine.ts'
import { exitCodes } from './exit-codes.ts'
import { renderMatrixHtml } from './matrix-html.ts'
import { renderMatrixText } from './matrix-text.ts'
import { withOwnVictim } from './own-image.ts'
import { requireKnown } from './plan.ts'
import { preflight } from './preflight/index.ts'
import { loadProfiles } from './profiles.ts'
import { createReporter } from './reporter.ts'
import { describeCrossCheck } from './cross-check.ts'
import { repositoryRoot } from './root.ts'
import { executeRun, planFor } from './run.ts'
import { type RunManifest, RunStore } from './store.ts'

/** `landfall run`: from flags to an exit code. Everything that can be refused is refused before the engine is asked. */
/** What the command line says, parsed. */
export interface RunFlags {
  fixtures?: string[]
  hosts?: string[]
  all?: boolean
  channel?: string[]
  user: (typeof users)[number] | 'both'
  jobs?: number
  seed?: number
  results: string
  hostsDir?: string
  baseline?: string
  resume?: string
  crossCheck?: boolean
}

export async function runCommand(flags: RunFlags): Promise<number> {
  const results = resolve(flags.results)
  const earlier = flags.resume === undefined ? undefined : await RunStore.open(results, flags.resume)
  const hostsDir = flags.hostsDir ?? earlier?.run.hostsDir
  const profiles = await loadProfiles(hostsDir)
  const baseline =
    flags.baseline === undefined ? undefined : parseBaseline(await readText(flags.baseline), flags.baseline)
  const manifest = earlier?.run ?? toManifest(flags)
  const reporter = createReporter(process.stderr)

  const stop = new AbortController()
  using _signals = onSignals(() => {
    if (stop.signal.aborted) process.exit(exitCodes.interrupted)
    reporter.note(
      'Stopping; what is finished is kept. Press Ctrl-C again to leave at once (then run `npm run landfall -- clean`).',
    )
    stop.abort(new LandfallError('interrupted', 'the run was stopped'))
  })

  // Planned before anything is made: a wrong name must not leave a folder behind.
  const plan = planFor({ run: manifest }, profiles)
  const { images: shipped, baseImage } = await preflight({ root: repositoryRoot })
  const say = (line: string) => reporter.note(line)
  const usual = await withOwnVictim(shipped, hostsDir, say)
  const hosts = plan.flatMap((item) => (item.kind === 'trial' ? [item.host] : []))
  const images = await withAgents({ images: usual, hosts, nodeImage: baseImage.name }, say)
  const engine = await connectEngine()
  const store = earlier ?? (await RunStore.create(results, manifest))
  reporter.note(`Run ${manifest.id}: ${plan.length} cells, seed ${manifest.seed}.`)
  let outcome: Results
  try {
    const jobs = flags.jobs ?? Math.min(4, availableParallelism())
    outcome = await executeRun({
      engine,
      root: repositoryRoot,
      images,
      store,
      profiles,
      jobs,
      crossCheck: flags.crossCheck ?? false,
      signal: stop.signal,
      reporter,
    })
  } catch (error) {
    reporter.end()
    // The engine's command line sees the same Ctrl-C and fails too: the user's wish comes first.
    const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
    if (cause instanceof LandfallError && (cause.code === 'interrupted' || cause.code === 'engine')) {
      throw new LandfallError(
        cause.code,
        `${cause.message}; go on with: npm run landfall -- run --resume ${manifest.id}${flags.results === 'results' ? '' : ` --results ${flags.results}`}`,
        cause.data,
        { cause: error },
      )
    }
    throw error
  }
  reporter.end()
  const page = await store.write('matrix.html', await renderMatrixHtml(outcome, store.folder))
  await store.finish(outcome)
  process.stdout.write(`${renderMatrixText(outcome, process.stdout.isTTY && process.stdout.hasColors())}\n\n${page}\n`)
  const crossCheck = describeCrossCheck(outcome.trials)
  if (crossCheck !== undefined) process.stdout.write(`${crossCheck}\n`)
  return judgeRun(outcome, profiles, baseline)
}

function judgeRun(
  results: Results,
  profiles: readonly HostProfile[],
  baseline: ReturnType<typeof parseBaseline> | undefined,
): number {
  const broken = results.controls.filter(({ passed }) => !passed)
  if (broken.length > 0) {
    complain(`the run is void: control ${broken.map(({ name, detail }) => `${name} failed (${detail})`).join(', ')}`)
    return exitCodes.voidRun
  }
  if (baseline === undefined) return exitCodes.done
  const controls = new Set(profiles.filter(({ control }) => control !== undefined).map(({ id }) => id))
  const { unexpected, stale } = compareWithBaseline(baseline, results.trials, controls)
  if (unexpected.length > 0)
    complain(`landings that the baseline does not expect: ${unexpected.map(({ id }) => id).join(', ')}`)
  if (stale.length > 0) {
    complain(
      `entries of the baseline that no longer land: ${stale.map(({ fixture, host }) => `${fixture} on ${host}`).join(', ')}`,
    )
  }
  return unexpected.length + stale.length > 0 ? exitCodes.unexpectedLanding : exitCodes.done
}

function toManifest(flags: RunFlags): RunManifest {
  const startedAt = new Date().toISOString()
  const stamp = startedAt.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const named = flags.channel?.map((name) => {
    requireKnown(
      'channel',
      name,
      channels.map((id) => ({ id })),
    )
    return Channel.parse(name)
  })
  return {
    id: `${stamp}-${randomBytes(2).toString('hex')}`,
    seed: flags.seed ?? randomInt(2 ** 32),
    startedAt,
    selection: {
      ...(flags.fixtures === undefined ? {} : { fixtures: flags.fixtures }),
      ...(flags.hosts === undefined ? {} : { hosts: flags.hosts }),
      ...(flags.all === undefined ? {} : { all: flags.all }),
      ...(named === undefined ? {} : { channels: named }),
      users: flags.user === 'both' ? ['agent', 'root'] : [flags.user],
    },
    ...(flags.hostsDir === undefined ? {} : { hostsDir: resolve(flags.hostsDir) }),
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new LandfallError('usage', `cannot read ${file}`, { file }, { cause })
  }
}

function onSignals(handler: () => void): Disposable {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, handler)
  return {
    [Symbol.dispose]: () => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, handler)
    },
  }
}

function complain(text: string): void {
  process.stderr.write(`landfall: ${text}\n`)
}
