import type { Revision } from '@landfall/contracts'
import { defaultDemoSeed, environment, parseAs } from '@landfall/contracts'
import { z } from 'zod'
import { bothRevisions } from './catalogue/view.ts'

/** Everything that can be set from outside: environment variables, and the choices of the command line. */
export interface Config {
  readonly host: string
  readonly port: number
  /** An address, or a name that resolves to this machine's address on the control network alone. */
  readonly controlHost: string
  /** Without it there is no control port, and so there are no trials. */
  readonly controlPort?: number
  /** Host names to accept besides those of the loopback. */
  readonly allowedHosts: readonly string[]
  /** Whether Host and Origin are looked at. The control port always looks. */
  readonly checkHosts: boolean
  /** Folder of the skills that are served honestly. `undefined` is our own corpus. */
  readonly skillsRoot?: string
  readonly profile: Profile
  /** What is served at `/mcp` and over stdio. A trial says for itself which revision it is about. */
  readonly revisions: readonly Revision[]
  /** Only these fixtures or folders of the corpus, whatever the profile. */
  readonly only?: readonly string[]
  /** Requests a minute of one client address on the MCP port; 0 is no limit. */
  readonly rateLimit: number
  /** Proxies in front of this server whose word on the client's address is taken. */
  readonly trustedProxies: number
  /** Seed of the canary that the catalogue at `/mcp` carries. */
  readonly demoSeed: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** `corpus`: skills that are served honestly. `adversarial`: fixtures. Nothing hostile is served unless asked for. */
export const profiles = ['corpus', 'adversarial', 'all'] as const
export type Profile = (typeof profiles)[number]

export const revisionChoices = ['index', 'stable', 'both'] as const
export type RevisionChoice = (typeof revisionChoices)[number]

/** What the command line may add. It wins over the environment. */
export interface Choices {
  readonly profile?: Profile | undefined
  readonly revision?: RevisionChoice | undefined
  readonly fixture?: readonly string[] | undefined
}

const loopback = '127.0.0.1'
const Port = z.coerce.number().int().min(0).max(65_535)
const Names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)
/** Deployments also hand down the flag itself. */
const ProfileName = z.preprocess((text) => (text === '--adversarial' ? 'adversarial' : text), z.enum(profiles))

const Environment = z.object({
  HOST: z.string().default(loopback),
  PORT: Port.default(3940),
  CONTROL_HOST: z.string().default(loopback),
  CONTROL_PORT: Port.optional(),
  ALLOWED_HOSTS: Names.default([]),
  MCP_DISABLE_DNS_REBINDING_PROTECTION: z.enum(['0', '1', 'false', 'true']).default('0'),
  SKILLS_ROOT: z.string().optional(),
  SERVE_PROFILE: ProfileName.default('corpus'),
  RATE_LIMIT: z.coerce.number().int().min(0).default(6_000),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  [environment.demoSeed]: z.string().default(defaultDemoSeed),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Reads `env`, where an empty value counts as unset. @throws LandfallError `invalid` that names the variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, choices: Choices = {}): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const values = parseAs(Environment, set, 'The environment')
  const { revision = 'both' } = choices
  return {
    host: values.HOST,
    port: values.PORT,
    controlHost: values.CONTROL_HOST,
    ...(values.CONTROL_PORT === undefined ? {} : { controlPort: values.CONTROL_PORT }),
    allowedHosts: values.ALLOWED_HOSTS,
    checkHosts: !['1', 'true'].includes(values.MCP_DISABLE_DNS_REBINDING_PROTECTION),
    ...(values.SKILLS_ROOT === undefined ? {} : { skillsRoot: values.SKILLS_ROOT }),
    profile: choices.profile ?? values.SERVE_PROFILE,
    revisions: revision === 'both' ? bothRevisions : [revision],
    ...(choices.fixture === undefined ? {} : { only: choices.fixture }),
    rateLimit: values.RATE_LIMIT,
    trustedProxies: values.TRUSTED_PROXIES,
    demoSeed: values[environment.demoSeed],
    logLevel: values.LOG_LEVEL,
  }
}
