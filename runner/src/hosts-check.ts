import { randomBytes } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import { deriveCanary, type HostProfile, LandfallError, users, type VictimUser } from '@landfall/contracts'
import { withAgents } from './agents-image.ts'
import { benign, type Finding, findingsOf } from './check-findings.ts'
import { connectEngine } from './engine.ts'
import { exitCodes } from './exit-codes.ts'
import { checkIsolation } from './isolation.ts'
import { type StartedLab, startLab } from './lab.ts'
import { withOwnVictim } from './own-image.ts'
import type { PlannedTrial } from './plan.ts'
import { preflight } from './preflight/index.ts'
import { readProfile } from './profiles.ts'
import { repositoryRoot } from './root.ts'
import { runTrial } from './trial.ts'

/**
 * `landfall hosts check FILE`: tries one host on the benign skill in a real lab, in each of its formats and as both
 * users, and says what is missing. A Dockerfile beside the file is built first.
 *
 * @returns exit code 0 when it is fit for a run, else 1.
 * @throws LandfallError `usage` or `invalid` for the file, `engine` or `machine` for the lab.
 */
export async function checkHost(file: string, print: (text: string) => void): Promise<number> {
  const path = resolve(file)
  const host = await readProfile(path)
  if (benign === undefined) throw new LandfallError('service', 'the catalogue has no benign skill')
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const { images: shipped, baseImage } = await preflight({ root: repositoryRoot })
  const usual = await withOwnVictim(shipped, dirname(path), say)
  const images = await withAgents({ images: usual, hosts: [host], nodeImage: baseImage.name }, say)
  const engine = await connectEngine()
  const run = `check-${randomBytes(4).toString('hex')}`
  const stop = new AbortController()
  const onSignal = () => stop.abort(new LandfallError('interrupted', 'the check was stopped'))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal)

  print(`${host.id}: ${host.title}\n`)
  say('Starting a lab for it')
  await using lab = await startLab({ engine, root: repositoryRoot, images, run, observers: 1 })
  const { versions, control } = await checkIsolation(engine, lab, [host])
  if (!control.passed) throw new LandfallError('service', `the lab is not isolated: ${control.detail}`)
  const findings = [versionFinding(host, versions[host.id] ?? '')]
  print(rendered('version', findings[0]))
  for (const { format } of host.install) {
    for (const user of users) {
      const id = `control-benign.${host.id}.${format}.${user}`
      const trial: PlannedTrial = {
        kind: 'trial',
        id,
        fixture: benign,
        host,
        channel: 'archive-file',
        revision: 'index',
        user,
        format,
        canary: deriveCanary(run, id),
      }
      const found = await tryOnce(trial, user, { engine, lab, signal: stop.signal })
      for (const finding of found) print(rendered(`${format} as ${user}`, finding))
      findings.push(...found)
    }
  }
  for (const trial of fetchedTrials(host, run)) {
    const what = `${trial.channel}${trial.fetch?.format === undefined ? '' : ` (${trial.fetch.format})`}`
    const found = await tryOnce(trial, trial.user, { engine, lab, signal: stop.signal })
    for (const finding of found) print(rendered(`${what} as ${trial.user}`, finding))
    findings.push(...found)
  }
  if (host.connect !== undefined) print('      It speaks MCP itself: a run tries its channels.\n')
  const fit = findings.every(({ ok }) => ok)
  print(fit ? `${host.id} is fit for a run.\n` : `${host.id} is not fit for a run yet.\n`)
  return fit ? exitCodes.done : exitCodes.unexpectedLanding
}

/** Of a host that fetches by itself: each of its steps, as each user. */
function fetchedTrials(host: HostProfile, run: string): PlannedTrial[] {
  if (benign === undefined) return []
  const fixture = benign
  return (host.fetch ?? []).flatMap((fetch, index) =>
    users.map((user): PlannedTrial => {
      const id = `control-benign.${host.id}.${fetch.channel}-${index}.${user}`
      const canary = deriveCanary(run, id)
      return { kind: 'trial', id, fixture, host, channel: fetch.channel, revision: 'index', user, fetch, canary }
    }),
  )
}

async function tryOnce(
  trial: PlannedTrial,
  user: VictimUser,
  context: { engine: Parameters<typeof runTrial>[1]['engine']; lab: StartedLab; signal: AbortSignal },
): Promise<Finding[]> {
  const [observer] = context.lab.observers
  if (observer === undefined) throw new LandfallError('service', 'the lab has no observer')
  const key = `t-${randomBytes(16).toString('hex')}`
  const { observed } = await runTrial(trial, { ...context, observer, key, crossCheck: false })
  return findingsOf(trial.host, trial.fetch === undefined ? (trial.format ?? 'tar.gz') : undefined, user, observed)
}

function versionFinding({ version }: HostProfile, said: string): Finding {
  if (said.startsWith('spawn ') || said.startsWith('unknown'))
    return { ok: false, text: `the version command ${version.join(' ')} does not work in the victim: ${said}` }
  return { ok: true, text: said }
}

const rendered = (what: string, finding: Finding | undefined) =>
  finding === undefined ? '' : `${finding.ok ? 'ok   ' : 'FAIL '} ${what}: ${finding.text}\n`
