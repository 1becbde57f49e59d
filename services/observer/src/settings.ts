import { environment, defaultDemoSeed, parseAs } from '@landfall/contracts'
import { z } from 'zod'

export const wildcard = '0.0.0.0'

/** What the environment decides. */
const Settings = z.object({
  /** Address or name to bind; a name may belong to one network alone. */
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3960),
  /** Further names under which the service may be addressed, separated by commas. */
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  /** `manual`: watch the victim that a person drives by hand. */
  LANDFALL_WATCH: z.enum(['manual', 'off', '']).default('off'),
  /** Folder for the content of files that victims wrote; empty: nothing is kept. */
  EVIDENCE_DIR: z.string().default(''),
  [environment.demoSeed]: z.string().min(1).default(defaultDemoSeed),
  /** Name of the run that it is a part of, for people. */
  LANDFALL_RUN: z.string().max(200).default(''),
  /** Address of a sinkhole's events, for the page; empty when there is none. */
  LANDFALL_SINKHOLE_EVENTS: z.union([z.literal(''), z.url({ protocol: /^http$/ })]).default(''),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export interface ObserverSettings {
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly watchManual: boolean
  readonly evidenceDir: string
  readonly demoSeed: string
  readonly run: string
  readonly sinkholeEvents: string
  readonly logLevel: string
}

/** @throws LandfallError `invalid` */
export function readSettings(env: NodeJS.ProcessEnv): ObserverSettings {
  const settings = parseAs(Settings, env, 'The environment of the observer')
  return {
    host: settings.HOST,
    port: settings.PORT,
    // The wildcard is an address to bind, not a name to be called by.
    allowedHosts: settings.HOST === wildcard ? settings.ALLOWED_HOSTS : [...settings.ALLOWED_HOSTS, settings.HOST],
    watchManual: settings.LANDFALL_WATCH === 'manual',
    evidenceDir: settings.EVIDENCE_DIR,
    demoSeed: settings[environment.demoSeed],
    run: settings.LANDFALL_RUN,
    sinkholeEvents: settings.LANDFALL_SINKHOLE_EVENTS,
    logLevel: settings.LOG_LEVEL,
  }
}
