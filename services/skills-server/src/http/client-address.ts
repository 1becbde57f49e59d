import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'

/**
 * The address of the client: that of the connection, or what `proxies` trusted proxies in front say of it. What a
 * client itself writes into `X-Forwarded-For` is further left there and not believed.
 */
export function clientAddress(request: IncomingMessage, proxies: number): string {
  return proxyAddress(request, (_address, hop) => hop < proxies)
}
