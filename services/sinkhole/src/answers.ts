import type { SinkholeAnswer } from '@landfall/contracts'

/** Which answer of a trial's script, if any, belongs to a request. */
export interface Target {
  /** Lower case, without the port; empty when it was not said. */
  readonly host: string
  /** Without what follows the question mark. */
  readonly path: string
}

/** What a request is for: the Host header and the path, or the whole address that a client sends to a proxy. */
export function targetOf(url: string, hostHeader: string | undefined): Target {
  const absolute = url.startsWith('/') ? null : URL.parse(url)
  const host = absolute === null ? hostOf(hostHeader ?? '') : absolute.hostname
  const path = absolute === null ? url : absolute.pathname
  return { host: host.toLowerCase(), path: path.split('?', 1)[0] ?? '' }
}

export function findAnswer(answers: readonly SinkholeAnswer[], { host, path }: Target): SinkholeAnswer | undefined {
  return answers.find((answer) => answer.path === path && (answer.host?.toLowerCase() ?? host) === host)
}

/** An IPv6 address keeps its brackets. */
function hostOf(header: string): string {
  return header.replace(/:\d*$/, '').slice(0, 255)
}
