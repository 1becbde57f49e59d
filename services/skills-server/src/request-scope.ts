import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'

/** The HTTP request on whose behalf something is done, for what is deep inside and knows nothing of HTTP. */
export interface RequestScope {
  readonly id: string
  /** Resolves when the answer has gone out, or the client has. */
  readonly closed: Promise<void>
  /** Ends the exchange without an answer, or in the middle of one. */
  readonly cut: () => void
}

/** Where there is a response at hand, it knows its scope; carrying one through all of HTTP would cost far more. */
const byResponse = new WeakMap<ServerResponse, RequestScope>()
const scopes = new AsyncLocalStorage<RequestScope>()

export function openScope(response: ServerResponse, scope: RequestScope): void {
  byResponse.set(response, scope)
}

export function scopeOf(response: ServerResponse): RequestScope | undefined {
  return byResponse.get(response)
}

/** The request that is being answered by MCP. `undefined` anywhere else, so always over stdio. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

/** Runs `work`, and all that follows from it, on behalf of the request that `response` answers. */
export function onBehalfOf<T>(response: ServerResponse, work: () => T): T {
  const scope = byResponse.get(response)
  return scope === undefined ? work() : scopes.run(scope, work)
}
