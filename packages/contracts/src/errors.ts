/**
 * The one error class of the lab and the whole list of its codes.
 *
 * A local error is not a wire error: an MCP answer carries the protocol's numbers, this carries a word.
 * The message starts with the cause and names the thing.
 */
export const errorCodes = {
  /** The command line, or a file the user gave, cannot be used. */
  usage: 'usage',
  /** Something from outside does not match its contract. `data.issues` lists where. */
  invalid: 'invalid',
  /** No container engine, or it went away. */
  engine: 'engine',
  /** The machine lacks room, a tool or a right that the lab needs. */
  machine: 'machine',
  /** A service of the lab did not answer as its contract says. */
  service: 'service',
  /** A step ran into its time limit. `data.step` names it. */
  timeout: 'timeout',
  /** Served bytes do not match the digest that the index stated. */
  digest: 'digest',
  /** The thing asked for does not exist. `data.kind` and `data.name` say which. */
  unknown: 'unknown',
  /** A service is asked for what its present state does not allow. `data` names what is in the way. */
  conflict: 'conflict',
  /** The user stopped the run. */
  interrupted: 'interrupted',
} as const

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes]

export class LandfallError extends Error {
  override readonly name = 'LandfallError'
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, data: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.data = data
  }
}
