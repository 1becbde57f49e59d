import { LandfallError } from '@landfall/contracts/errors'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { quoted } from '../printable.ts'
import { onlyContent } from './content.ts'
import type { ResourceReader } from './reader.ts'

/** A reader on the SDK's client, which probes for the modern era and falls back to the legacy one. */
export async function connectSdk(endpoint: URL, limitMs: number): Promise<ResourceReader> {
  const client = new Client({ name: 'landfall-host', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } })
  const limit = { timeout: limitMs }
  const named = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new LandfallError('service', `${what} failed: ${quoted(why, 300)}`, { endpoint: endpoint.href }, { cause })
    }
  }
  await named(`connecting to ${endpoint.href}`, () =>
    client.connect(new StreamableHTTPClientTransport(endpoint), limit),
  )
  return {
    async read(uri) {
      const { contents } = await named(`reading ${quoted(uri)}`, () => client.readResource({ uri }, limit))
      return onlyContent(contents, uri)
    },
  }
}
