/**
 * Exit codes of `landfall-host install`. The lab's own failures and the host's refusals never share one.
 * - 0 accepted: the host's command exited 0
 * - 10 refused: the host's command ran and exited otherwise
 * - 11 the host's command ran into its own limit
 * - 12 the host's command was killed by a signal
 * - 13 a host that connects by itself failed before it came to a decision
 * - 20 the skill could not be fetched over MCP
 * - 21 the fetched bytes do not match the digest of the index
 * - 22 the fixture offers nothing in a format that this host takes
 * - 30 the host's command does not exist in this victim
 * - 40 accepted, but the agent that was to use the skill failed
 * - 41 accepted, but the agent ran into its limit
 * - 64 usage
 *
 * Free of zod: see users.ts.
 */
export const installExit = {
  accepted: 0,
  refused: 10,
  timeout: 11,
  killed: 12,
  crashed: 13,
  fetchFailed: 20,
  digestMismatch: 21,
  nothingToInstall: 22,
  hostMissing: 30,
  useFailed: 40,
  useTimeout: 41,
  usage: 64,
} as const
export type InstallExit = (typeof installExit)[keyof typeof installExit]
