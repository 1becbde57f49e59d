/**
 * Finds the container engine, or brings it: starts one that is installed, installs one that is missing.
 *
 * An engine that answers is used as it is. One that somebody chose by DOCKER_HOST or a context is never touched.
 */
import { LandfallError } from '@landfall/contracts'
import { addSuite, aptInstall, aptPolicies, aptUpdate } from './apt.ts'
import { startDockerd } from './dockerd.ts'
import { probeEngine, type EngineFacts, type RunningEngine } from './engine-facts.ts'
import { planEngine, startCommand } from './engine-plan.ts'
import { exec } from './exec.ts'
import { choosePackages, consideredPackages, type Component } from './packages.ts'
import { seconds, type Say } from './say.ts'

export interface ReadyEngine extends RunningEngine {
  readonly compose: string
  readonly buildx: string
  readonly endpoint: EngineFacts['endpoint']
}

/** @returns undefined when something has to be done first. @throws LandfallError `engine` when it may not be done. */
export function readyEngine(facts: EngineFacts): ReadyEngine | undefined {
  const plan = planEngine(facts)
  if (plan.do === 'refuse') throw new LandfallError('engine', plan.message)
  const { running, compose, buildx, endpoint } = facts
  if (plan.do !== 'use' || !running || compose === undefined || buildx === undefined) return undefined
  return { ...running, compose, buildx, endpoint }
}

/** Starts or installs what is missing. The caller holds the machine's set-up lock. */
export async function bringEngine(say: Say): Promise<ReadyEngine> {
  // Installing may or may not start the engine, so look again after each step; three steps are the longest way.
  let installed: readonly string[] = []
  for (let step = 0; step < 3; step++) {
    const facts = await probeEngine()
    const ready = readyEngine(facts)
    if (ready) return ready
    const plan = planEngine(facts)
    if (plan.do === 'install' && installed.length > 0) throw stillMissing(installed, plan.missing)
    if (plan.do === 'install') installed = await install(facts, plan.missing, say)
    if (plan.do === 'start') await start(facts, plan.how, say)
  }
  const ready = readyEngine(await probeEngine())
  if (!ready) throw new LandfallError('engine', 'the container engine was set up but still does not answer')
  return ready
}

async function start(facts: EngineFacts, how: 'systemd' | 'dockerd', say: Say): Promise<void> {
  say(`the container engine does not run; starting it (${how === 'systemd' ? 'systemctl start docker' : facts.daemon})`)
  if (how === 'dockerd') return startDockerd(facts.daemon ?? 'dockerd', say)
  const outcome = await exec('systemctl', ['start', 'docker'], { timeoutMs: 120_000 })
  if (outcome.ok) return
  const { stdout } = await exec('journalctl', ['-u', 'docker', '-n', '8', '--no-pager', '-o', 'cat'])
  throw new LandfallError('engine', `${startCommand(how)} failed: ${outcome.why}\n${stdout.trimEnd()}`)
}

async function install(facts: EngineFacts, missing: readonly Component[], say: Say) {
  const { os } = facts
  if (!os) return []
  say(`missing: ${missing.join(', ')}; installing from the packages of ${os.prettyName} (LANDFALL_SETUP=never forbids)`)
  const began = Date.now()
  let choice = choosePackages(missing, os, await aptPolicies(consideredPackages))
  if (choice?.suite !== undefined) await addSuite(os.codename, choice.suite, say)
  await aptUpdate(say)
  // A machine without package lists knows no candidate before the update.
  choice ??= choosePackages(missing, os, await aptPolicies(consideredPackages))
  if (!choice) {
    const what = `${os.prettyName} has no packages for an engine with compose version 2 (missing: ${missing.join(', ')})`
    throw new LandfallError('engine', `${what}. Install Docker Engine 24 or later with its compose and buildx plugins.`)
  }
  const inUse = facts.running ? ['docker.io', 'docker-ce', 'containerd', 'containerd.io', 'runc'] : []
  await aptInstall(choice.packages, say, inUse)
  say(`installed ${choice.packages.join(', ')} in ${seconds(Date.now() - began)}`)
  return choice.packages
}

function stillMissing(installed: readonly string[], missing: readonly Component[]): LandfallError {
  const what = `${missing.join(', ')} cannot be found although ${installed.join(', ')} are installed`
  return new LandfallError('engine', `${what}: another docker command in PATH may not look for the plugins there`)
}
