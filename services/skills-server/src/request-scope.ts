import { AsyncLocalStorage } from 'node:async_hooks'

/** The HTTP request on whose behalf something is done, for what is deep inside and knows nothing of HTTP. */
export interface RequestScope {
  readonly id: string
  /** Resolves when the answer has gone out, or the client has. */
  readonly closed: Promise<void>
  /** Ends the exchange without an answer, or in the middle of one. */
  readonly cut: () => void
}

const scopes = new AsyncLocalStorage<RequestScope>()

/** `undefined` where no HTTP request is being answered, so always over stdio. */
export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

/** Runs `work`, and all that follows from it, on behalf of one request. */
export function onBehalfOf(scope: RequestScope, work: () => void): void {
  scopes.run(scope, work)
}
