import { defaultDemoSeed, environment, parseAs } from '@landfall/contracts'
import { z } from 'zod'

/** Everything that can be set from outside, as environment variables. An empty value counts as unset. */
export interface Config {
  readonly host: string
  readonly port: number
  /** An address, or a name that resolves to this machine's address on the control network alone. */
  readonly controlHost: string
  readonly controlPort: number
  /** Host names to accept besides those of the loopback. */
  readonly allowedHosts: readonly string[]
  /** Seed of the canary that the catalogue at `/mcp` carries. */
  readonly demoSeed: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

const loopback = '127.0.0.1'
const Port = z.coerce.number().int().min(0).max(65_535)
const Names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

const Environment = z.object({
  HOST: z.string().default(loopback),
  PORT: Port.default(3940),
  CONTROL_HOST: z.string().default(loopback),
  CONTROL_PORT: Port.default(3950),
  ALLOWED_HOSTS: Names.default([]),
  [environment.demoSeed]: z.string().default(defaultDemoSeed),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** @throws LandfallError `invalid` that names the variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const values = parseAs(Environment, set, 'The environment')
  return {
    host: values.HOST,
    port: values.PORT,
    controlHost: values.CONTROL_HOST,
    controlPort: values.CONTROL_PORT,
    allowedHosts: values.ALLOWED_HOSTS,
    demoSeed: values[environment.demoSeed],
    logLevel: values.LOG_LEVEL,
  }
}
