/** Decides what set-up does about the engine, from what was found. Pure. */
import type { EngineFacts } from './engine-facts.ts'
import { hasAptPackages, type Component } from './packages.ts'

export type EnginePlan =
  | { readonly do: 'use' }
  | { readonly do: 'start'; readonly how: 'systemd' | 'dockerd' }
  | { readonly do: 'install'; readonly missing: readonly Component[] }
  | { readonly do: 'refuse'; readonly message: string }

export function planEngine(facts: EngineFacts): EnginePlan {
  if (facts.endpoint.chosenBy !== undefined) return planForeign(facts)
  if (facts.running) return planPlugins(facts)
  if (/permission denied/i.test(facts.whyNotRunning)) {
    return refuse(
      `this user may not use the container engine at ${facts.endpoint.host}. ` +
        'Run the command as root, or join the group that owns the socket: sudo usermod -aG docker "$USER" (then log in again).',
    )
  }
  if (facts.platform !== 'linux') {
    const found = facts.hasClient ? 'the container engine does not run' : 'no container engine is installed'
    return refuse(`${found}. Install and start Docker Desktop or another engine that the docker command can reach.`)
  }
  const missing = missingComponents(facts)
  return missing.length > 0 ? planInstall(facts, missing) : planStart(facts)
}

function planForeign(facts: EngineFacts): EnginePlan {
  const { host, chosenBy } = facts.endpoint
  const whose = `the engine at ${host} was chosen by ${chosenBy}, and set-up changes nothing there.`
  if (!facts.hasClient) return refuse(`the docker command is missing; ${whose} Install the docker command line.`)
  if (!facts.running)
    return refuse(`the container engine does not answer (${facts.whyNotRunning}); ${whose} Start it there.`)
  const plugins = missingPlugins(facts)
  if (plugins.length === 0) return { do: 'use' }
  return refuse(`docker has no ${plugins.join(' and no ')} plugin; ${whose} Install it for the docker command line.`)
}

function planPlugins(facts: EngineFacts): EnginePlan {
  const missing = missingPlugins(facts)
  return missing.length === 0 ? { do: 'use' } : planInstall(facts, missing)
}

function planInstall(facts: EngineFacts, missing: readonly Component[]): EnginePlan {
  const what = missing.includes('daemon')
    ? 'no container engine is installed'
    : `a part of the container engine is missing (${missing.join(', ')})`
  const byHand =
    'Install Docker Engine 24 or later with its compose (version 2) and buildx plugins, then run the command again.'
  if (facts.os === undefined || !hasAptPackages(facts.os) || !facts.hasApt) {
    return refuse(`${what}, and set-up installs one only on Debian and Ubuntu. ${byHand}`)
  }
  if (!facts.setupAllowed) return refuse(`${what}, and LANDFALL_SETUP=never forbids to install it. ${byHand}`)
  if (!facts.isRoot) {
    return refuse(`${what}. Only root can install it from ${facts.os.prettyName}'s packages: sudo npm run setup`)
  }
  return { do: 'install', missing }
}

function planStart(facts: EngineFacts): EnginePlan {
  const how = facts.hasSystemd ? 'systemd' : 'dockerd'
  const command = startCommand(how)
  if (!facts.setupAllowed) {
    return refuse(
      `the container engine does not run, and LANDFALL_SETUP=never forbids to start it. Start it: ${command}`,
    )
  }
  if (!facts.isRoot) return refuse(`the container engine does not run, and only root can start it: ${command}`)
  return { do: 'start', how }
}

export function startCommand(how: 'systemd' | 'dockerd'): string {
  if (how === 'systemd') return 'sudo systemctl start docker'
  return `sudo sh -c 'setsid dockerd >>/var/log/landfall-dockerd.log 2>&1 &'`
}

function missingComponents(facts: EngineFacts): Component[] {
  const missing: Component[] = []
  if (!facts.hasClient) missing.push('client')
  if (facts.daemon === undefined) missing.push('daemon')
  return [...missing, ...missingPlugins(facts)]
}

function missingPlugins(facts: EngineFacts): Component[] {
  const missing: Component[] = []
  // Version 1 was a program of its own, so a plugin is always version 2 or later.
  if (facts.compose === undefined) missing.push('compose')
  if (facts.buildx === undefined) missing.push('buildx')
  return missing
}

function refuse(message: string): EnginePlan {
  return { do: 'refuse', message }
}
