import type { ResourceContent } from './content.ts'
import { NotModern, readModern } from './read-modern.ts'

/**
 * Reads resources of one MCP endpoint, whatever era it speaks.
 *
 * The modern era needs no handshake, so one request is tried as it is. Where that gets no answer of the
 * modern era, the SDK's client takes over, which knows both eras and costs several times as much to load.
 */
export interface ResourceReader {
  /** @throws LandfallError `service` when the endpoint cannot be reached, answers with an error, or with nothing. */
  read(uri: string): Promise<ResourceContent>
}

const answerLimitMs = 30_000

/** @param limitMs how long one answer may take. */
export function openReader(endpoint: URL, limitMs: number = answerLimitMs): ResourceReader {
  let fallback: Promise<ResourceReader> | undefined
  const sdk = () => (fallback ??= import('./read-with-sdk.ts').then(({ connectSdk }) => connectSdk(endpoint, limitMs)))
  return {
    async read(uri) {
      if (fallback !== undefined || endpoint.protocol !== 'http:') return await (await sdk()).read(uri)
      try {
        return await readModern(endpoint, uri, limitMs)
      } catch (error) {
        if (!(error instanceof NotModern)) throw error
        return await (await sdk()).read(uri)
      }
    },
  }
}
