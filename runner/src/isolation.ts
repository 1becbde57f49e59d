import { randomBytes } from 'node:crypto'
import {
  type ControlResult,
  Health,
  type HostProfile,
  parseAs,
  SelfTestProbes,
  type SelfTestTargets,
  users,
  type VictimUser,
} from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { execa } from 'execa'
import { z } from 'zod'
import { requestJson } from './http-client.ts'
import type { StartedLab } from './lab.ts'
import { Victim } from './victim.ts'

/**
 * The self-test of every run: from inside a victim, as both users, nothing but the skills server and the sinkhole is in reach,
 * and the observer cannot be harmed. Asks for the hosts' versions on the way.
 */
export interface IsolationReport {
  readonly control: ControlResult
  /** Host id to the first line of its version command's output. */
  readonly versions: Readonly<Record<string, string>>
}

const Hosts = z.array(z.looseObject({ id: z.string(), version: z.string() }))

export async function checkIsolation(
  engine: Dockerode,
  lab: StartedLab,
  profiles: readonly HostProfile[],
): Promise<IsolationReport> {
  const [observer] = lab.observers
  if (observer === undefined) return failed('no observer')
  const identity = {
    name: lab.victimName('self-test'),
    trial: 'self-test',
    marker: `self-test-${randomBytes(8).toString('hex')}`,
    user: 'agent' as const,
    observer: observer.container,
    network: lab.network,
    maskedPaths: lab.maskedPaths,
    labels: lab.labels,
  }
  await using victim = await Victim.create(engine, lab.victim, identity, '0'.repeat(64))
  await victim.start()
  const targets = await probeTargets(engine, lab)
  const tests = users.map((user) => probeAs(victim, user, JSON.stringify(targets)))
  const usual = profiles.filter(({ image }) => image === undefined)
  const [probes, versions] = await Promise.all([Promise.all([...tests, probeSinkhole(lab)]), versionsIn(victim, usual)])
  for (const [image, hosts] of Map.groupBy(profiles, (each) => each.image)) {
    const [host] = hosts
    if (image === undefined || host === undefined) continue
    const other = { ...identity, name: lab.victimName(image), marker: `${identity.marker}-${image}` }
    await using own = await Victim.create(engine, lab.victimOf(host), other, '0'.repeat(64))
    await own.start()
    versions.push(...(await versionsIn(own, hosts)))
  }
  const failures = probes.flat().flatMap(({ probe, passed, detail }) => (passed ? [] : [`${probe}: ${detail}`]))
  const inspected = await engine.getContainer(observer.container).inspect()
  if (!inspected.State.Running || inspected.RestartCount > 0) failures.push('the observer did not survive the signals')
  await requestJson(observer.url, 'GET', '/healthz', Health)

  const passed = probes.flat().length - failures.length
  return {
    versions: Object.fromEntries(versions.map(({ id, version }) => [id, printable(version)])),
    control: {
      name: 'isolation',
      passed: failures.length === 0,
      detail: failures.length === 0 ? `a victim has no way out: ${passed} probes` : failures.join('; '),
    },
  }
}

async function versionsIn(victim: Victim, profiles: readonly HostProfile[]): Promise<z.infer<typeof Hosts>> {
  const command = ['landfall-host', 'hosts', '--json', '--profiles', JSON.stringify(profiles)]
  const listed = await victim.exec(command, { limitSeconds: 180 })
  return parseAs(Hosts, JSON.parse(listed.stdout), 'the list of hosts')
}

/** A self-test that could not be done is a failed one. */
async function probeAs(victim: Victim, user: VictimUser, targets: string): Promise<SelfTestProbes> {
  const log = await victim.exec(['landfall-host', 'self-test', '--targets', targets], { user, limitSeconds: 60 })
  if (log.exitCode !== 0) {
    const detail = `ended with ${String(log.exitCode)}: ${log.stderr.trim()}`
    return [{ probe: `self-test as ${user}`, passed: false, detail }]
  }
  const probes = parseAs(SelfTestProbes, JSON.parse(log.stdout), 'the self-test')
  return probes.map((probe) => ({ ...probe, probe: `${probe.probe} as ${user}` }))
}

/** A version is printed by a program in a victim: on a terminal only its plain characters are safe. */
const printable = (text: string) => text.replaceAll(/[^\x20-\x7e]+/g, '?')

const failed = (detail: string): IsolationReport => ({
  versions: {},
  control: { name: 'isolation', passed: false, detail },
})

/** What a victim must and must not reach. */
async function probeTargets(engine: Dockerode, lab: StartedLab): Promise<SelfTestTargets> {
  const addresses = async (id: string) => {
    const { NetworkSettings } = await engine.getContainer(id).inspect()
    return Object.values(NetworkSettings.Networks).map(({ IPAddress }) => IPAddress)
  }
  const { sinkhole } = lab
  const [server, sinkholes, observers, network] = await Promise.all([
    addresses(lab.server),
    Promise.all([sinkhole.container, sinkhole.relay].map(addresses)),
    Promise.all(lab.observers.map(({ container }) => addresses(container))),
    engine
      .getNetwork(lab.network)
      .inspect()
      .then((answer) => Network.parse(answer)),
  ])
  return {
    reachable: [
      { what: 'the skills server', host: 'skills-server', port: 3940, mayRefuse: false },
      ...[80, 443].map((port) => ({ what: 'the sinkhole', host: sinkhole.address, port, mayRefuse: false })),
    ],
    unreachable: [
      ...server.map((host) => ({ what: "the skills server's control port", host, port: 3950, mayRefuse: true })),
      ...sinkholes.flat().map((host) => ({ what: "the sinkhole's control port", host, port: 3970, mayRefuse: true })),
      ...observers.flat().map((host) => ({ what: 'an observer', host, port: 3960, mayRefuse: false })),
      // Port 22 and 2375 would answer with a refusal if the engine's host had an address on the lab network.
      ...network.IPAM.Config.flatMap(({ Gateway }) =>
        Gateway === undefined
          ? []
          : [22, 2375].map((port) => ({ what: "the engine's host", host: Gateway, port, mayRefuse: false })),
      ),
      outside,
    ],
    sinkholed: {
      address: sinkhole.address,
      names: ['example.com', 'a.b.example', ...inner, 'host.docker.internal'],
    },
  }
}

/** TEST-NET-1: an outside address that belongs to nobody. */
const outside = { what: 'the outside world', host: '192.0.2.1', port: 80, mayRefuse: false }
/** Names of the control networks: the engine must not tell a victim where they lead. */
const inner = ['skills-server.control', 'observer', 'sinkhole.relay', 'sinkhole-control']

/** The sinkhole parses what victims send, so it must be as confined as they are. */
async function probeSinkhole(lab: StartedLab): Promise<SelfTestProbes> {
  const command = ['node', 'services/sinkhole/src/self-test.ts', outside.host, String(outside.port)]
  const asked = execa('docker', ['exec', lab.sinkhole.container, ...command], { reject: false, timeout: 30_000 })
  const { exitCode, stdout, stderr, shortMessage = '' } = await asked
  if (exitCode !== 0)
    return [{ probe: 'self-test of the sinkhole', passed: false, detail: `${shortMessage} ${stderr}`.trim() }]
  const probes = parseAs(SelfTestProbes, JSON.parse(stdout), 'the self-test of the sinkhole')
  return probes.map((probe) => ({ ...probe, probe: `${probe.probe} in the sinkhole` }))
}

const Network = z.looseObject({
  IPAM: z.looseObject({ Config: z.array(z.looseObject({ Gateway: z.string().optional() })) }),
})
