import type { IncomingMessage } from 'node:http'

/**
 * The address of the client: that of the connection, or what `proxies` trusted proxies in front say of it. Each
 * of them adds to the right of `X-Forwarded-For` whom it was asked by, so what a client writes there itself
 * is further left and not believed.
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const said = proxies === 0 ? undefined : headers['x-forwarded-for']
  const forwarded = (typeof said === 'string' ? said.split(',') : []).map((address) => address.trim()).toReversed()
  const hops = [socket.remoteAddress ?? '', ...forwarded.filter((address) => address !== '')]
  return hops[Math.min(proxies, hops.length - 1)] ?? ''
}
