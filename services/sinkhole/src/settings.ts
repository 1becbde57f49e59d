import { defaultDemoSeed, environment, parseAs } from '@landfall/contracts'
import { z } from 'zod'

/** What the environment decides. */
const Port = z.coerce.number().int().min(0).max(65_535)
const Settings = z.object({
  /** Address on the lab network: what is listened on, and what every name resolves to. */
  LAB_ADDRESS: z.ipv4().default('127.0.0.1'),
  HTTP_PORT: Port.default(80),
  HTTPS_PORT: Port.default(443),
  DNS_PORT: Port.default(53),
  /** Address or name for the control port; a name may belong to one network alone. */
  CONTROL_HOST: z.string().min(1).default('127.0.0.1'),
  CONTROL_PORT: Port.default(3970),
  /** Further names under which the control port may be addressed, separated by commas. */
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))),
  /** Folder for the certificate of our authority, which victims read. */
  CA_FOLDER: z.string().startsWith('/'),
  /** `manual`: also answer for the trial of the victim that a person drives by hand. */
  LANDFALL_WATCH: z.enum(['manual', 'off', '']).default('off'),
  [environment.demoSeed]: z.string().min(1).default(defaultDemoSeed),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export interface SinkholeSettings {
  readonly labAddress: string
  readonly httpPort: number
  readonly httpsPort: number
  readonly dnsPort: number
  readonly controlHost: string
  readonly controlPort: number
  readonly allowedHosts: readonly string[]
  readonly caFolder: string
  readonly manual: boolean
  readonly demoSeed: string
  readonly logLevel: string
}

/** @throws LandfallError `invalid` that names the variable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SinkholeSettings {
  const settings = parseAs(Settings, env, 'The environment of the sinkhole')
  return {
    labAddress: settings.LAB_ADDRESS,
    httpPort: settings.HTTP_PORT,
    httpsPort: settings.HTTPS_PORT,
    dnsPort: settings.DNS_PORT,
    controlHost: settings.CONTROL_HOST,
    controlPort: settings.CONTROL_PORT,
    allowedHosts: [...settings.ALLOWED_HOSTS, settings.CONTROL_HOST],
    caFolder: settings.CA_FOLDER,
    manual: settings.LANDFALL_WATCH === 'manual',
    demoSeed: settings[environment.demoSeed],
    logLevel: settings.LOG_LEVEL,
  }
}
