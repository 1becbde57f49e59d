import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LandfallError } from '@landfall/contracts/errors'
import { z } from 'zod'
import { NoAnswer, ServerFault } from '../mcp/answer.ts'
import type { Ended, SdkHost } from './installing.ts'

/** `landfall-host sdk`: the hosts on SDKs as a program. The end is one line of JSON on stdout. */
export const sdkLines = ['v1', 'v2'] as const
export type SdkLine = (typeof sdkLines)[number]

export const sdkExit = { installed: 0, refused: 3, noAnswer: 4 } as const

const hosts: Readonly<Record<SdkLine, () => Promise<SdkHost>>> = {
  v1: async () => (await import('./v1.ts')).installV1,
  v2: async () => (await import('./v2.ts')).installV2,
}

/** A host installs, and looks again when it is next started. */
const starts = 2

/** @throws LandfallError `usage` for an address that is none. */
export async function sdkInstall(line: SdkLine, address: string, home: string): Promise<number> {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LandfallError('usage', `${JSON.stringify(address)} is not the address of an MCP endpoint`)
  const install = await hosts[line]()
  const ended = new Map<string, Ended>()
  try {
    for (let start = 0; start < starts; start += 1)
      for (const one of await install(url, `${home}/.agents/skills`))
        ended.set(one.name, worse(ended.get(one.name), one))
  } catch (error) {
    if (error instanceof ServerFault) return end({ outcome: 'refused', message: error.message }, sdkExit.refused)
    if (error instanceof NoAnswer) return end({ outcome: 'no-answer', message: error.message }, sdkExit.noAnswer)
    throw error
  }
  const skills = [...ended.values()]
  const refused = skills.some(({ outcome }) => outcome === 'refused')
  return end({ outcome: refused ? 'refused' : 'installed', skills }, refused ? sdkExit.refused : sdkExit.installed)
}

const worse = (earlier: Ended | undefined, now: Ended): Ended => (earlier?.outcome === 'refused' ? earlier : now)

function end(said: Readonly<Record<string, unknown>>, code: number): number {
  process.stdout.write(`${JSON.stringify(said)}\n`)
  return code
}

const manifests: Readonly<Record<SdkLine, string>> = {
  v1: '../../../package.json',
  v2: '../package.json',
}
const entries: Readonly<Record<SdkLine, string>> = {
  v1: '@modelcontextprotocol/sdk/client/index.js',
  v2: '@modelcontextprotocol/client',
}

/** Name and version of the SDK that the host is built on, as it is installed here. */
export function sdkVersion(line: SdkLine): string {
  const file = new URL(manifests[line], import.meta.resolve(entries[line]))
  const { name, version } = z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(readFileSync(fileURLToPath(file), 'utf8')))
  return `${name} ${version}`
}
