import { localhostAllowedHostnames } from '@modelcontextprotocol/server'

/** Under which names a server may be addressed, and how it names itself. */

/** Addresses to listen on, which nobody can be addressed by. */
const wildcards = new Set(['0.0.0.0', '::'])

/** Host names without ports: those of the loopback, and of `names` those that one can be addressed by. */
export function allowedNames(names: readonly string[]): string[] {
  return [...localhostAllowedHostnames(), ...names.filter((name) => !wildcards.has(name)).map(urlHost)]
}

export function urlOf({ address, port }: { readonly address: string; readonly port: number }): string {
  return `http://${urlHost(address)}:${port}`
}

/** In a URL, and in a Host header, an IPv6 address stands in brackets. */
function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
