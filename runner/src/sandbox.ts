import { labels, LandfallError, parseAs, userFacts, type VictimUser } from '@landfall/contracts'
import type { ContainerCreateOptions, MountSettings } from 'dockerode'
import { z } from 'zod'

/**
 * Turns the victim's service of `compose.yaml`, as `docker compose config` prints it, into the engine's own
 * create options. `compose.yaml` is the one place where the sandbox is configured, so a setting that this
 * file does not know is an error and never silently dropped.
 */
const Bytes = z.coerce.number().int().positive()

/** Settings that do not concern a victim that the runner creates itself. */
const ignored = {
  build: z.unknown(),
  command: z.unknown(),
  depends_on: z.unknown(),
  entrypoint: z.unknown(),
  healthcheck: z.unknown(),
  ports: z.unknown(),
  stop_grace_period: z.unknown(),
}

const VolumeMount = z.strictObject({
  type: z.literal('volume'),
  source: z.string(),
  target: z.string().startsWith('/'),
  read_only: z.boolean().optional(),
  volume: z.strictObject({ nocopy: z.literal(true) }),
})

export const VictimService = z.strictObject({
  ...z.object(ignored).partial().shape,
  image: z.string(),
  dns: z.array(z.ipv4()),
  dns_search: z.array(z.string()),
  volumes: z.array(VolumeMount),
  pid: z.literal('service:observer'),
  networks: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.string()),
  labels: z.record(z.string(), z.string()),
  logging: z.strictObject({ driver: z.string(), options: z.record(z.string(), z.string()).optional() }),
  init: z.boolean(),
  user: z.string(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  mem_limit: Bytes,
  memswap_limit: Bytes,
  pids_limit: z.int().positive(),
  cpus: z.number().positive(),
  shm_size: Bytes.optional(),
  /** Paths hidden in addition to the engine's own. Compose itself has no word for it. */
  'x-landfall-masked-paths': z.array(z.string().startsWith('/')),
})
export type VictimService = z.infer<typeof VictimService>

const ComposeConfig = z.looseObject({
  services: z.looseObject({ 'victim-host': VictimService }),
  /** The engine's names of the volumes, by those that the services use. */
  volumes: z.record(z.string(), z.looseObject({ name: z.string() })).default({}),
})

/** @throws LandfallError `invalid` when a setting of the victim is missing, or not one that this file knows. */
export function readVictimService(config: unknown): VictimService {
  const { services, volumes } = parseAs(ComposeConfig, config, "the victim's service in compose.yaml")
  const service = services['victim-host']
  const mounts = service.volumes.map((mount) => ({ ...mount, source: volumes[mount.source]?.name ?? mount.source }))
  return { ...service, volumes: mounts }
}

export interface VictimIdentity {
  /** Name of the container, so that a person who lists containers knows what it is. */
  readonly name: string
  readonly trial: string
  /** Value of `LANDFALL_TRIAL` inside, by which the observer finds the victim. */
  readonly marker: string
  readonly user: VictimUser
  /** Container whose PID namespace the victim joins. */
  readonly observer: string
  /** The engine's name of the lab network. */
  readonly network: string
  /** On the lab network, so that the sinkhole knows whose a request is. Any that is free when absent. */
  readonly address?: string
  /** Paths that the engine masks by itself: naming any replaces its list. */
  readonly maskedPaths: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export function victimOptions(service: VictimService, victim: VictimIdentity): ContainerCreateOptions {
  const networks = Object.keys(service.networks)
  if (networks.length !== 1 || networks[0] !== 'lab') {
    throw new LandfallError(
      'invalid',
      `a victim stands on the lab network alone, compose.yaml puts it on: ${networks.join(', ')}`,
    )
  }
  const { uid, gid, home } = userFacts[victim.user]
  const environment = {
    ...service.environment,
    LANDFALL_TRIAL: victim.marker,
    HOME: home,
  }
  return {
    name: victim.name,
    Image: service.image,
    User: `${uid}:${gid}`,
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { ...service.labels, ...victim.labels, [labels.trial]: victim.trial },
    NetworkingConfig: { EndpointsConfig: { [victim.network]: endpoint(victim.address) } },
    HostConfig: {
      NetworkMode: victim.network,
      PidMode: `container:${victim.observer}`,
      Dns: service.dns,
      DnsSearch: service.dns_search,
      Mounts: service.volumes.map(toMount),
      Init: service.init,
      ReadonlyRootfs: service.read_only ?? false,
      MaskedPaths: [...victim.maskedPaths, ...service['x-landfall-masked-paths']],
      CapDrop: service.cap_drop,
      CapAdd: service.cap_add ?? [],
      SecurityOpt: service.security_opt,
      Memory: service.mem_limit,
      MemorySwap: service.memswap_limit,
      PidsLimit: service.pids_limit,
      NanoCpus: Math.round(service.cpus * 1e9),
      ...(service.shm_size === undefined ? {} : { ShmSize: service.shm_size }),
      LogConfig: { Type: service.logging.driver, Config: service.logging.options ?? {} },
    },
  }
}

const endpoint = (address: string | undefined) =>
  address === undefined ? {} : { IPAMConfig: { IPv4Address: address } }

function toMount({ source, target, read_only }: VictimService['volumes'][number]): MountSettings {
  const VolumeOptions = { NoCopy: true, Labels: {}, DriverConfig: { Name: '', Options: {} } }
  return { Type: 'volume', Source: source, Target: target, ReadOnly: read_only ?? false, VolumeOptions }
}
