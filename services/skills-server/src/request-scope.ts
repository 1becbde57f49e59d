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

/** Where a response is at hand, it knows its scope; carrying one through all of HTTP would cost far more. */
const scopeKey: unique symbol = Symbol('scope')
declare module 'node:http' {
  interface ServerResponse {
    [scopeKey]?: RequestScope
  }
}

const scopes = new AsyncLocalStorage<RequestScope>()

export function openScope(response: ServerResponse, scope: RequestScope): void {
  response[scopeKey] = scope
}

export function scopeOf(response: ServerResponse): RequestScope | undefined {
  return response[scopeKey]
}

/** The request that is being answered by MCP. `undefined` anywhere else, so always over stdio. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

/** Runs `work`, and all that follows from it, on behalf of the request that `response` answers. */
export function onBehalfOf<T>(response: ServerResponse, work: () => T): T {
  const scope = response[scopeKey]
  return scope === undefined ? work() : scopes.run(scope, work)
}
