/** What is answered outside of MCP. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly bytes: Buffer
  /** The answer holds a part of a skill, and not merely says that there is one. */
  readonly payload?: true
}

/** A request outside of MCP, below the path of its trial. */
export interface Asked {
  readonly method: string
  /** Segments of the path, decoded: `['archives', 'demo.zip']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  readonly body: string
}

export const json = (value: unknown): Answer => ({
  status: 200,
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value), 'utf8'),
})

export const payload = (type: string, bytes: Buffer): Answer => ({ status: 200, type, bytes, payload: true })

export const missing: Answer = { status: 404, type: 'text/plain', bytes: Buffer.from('Not found\n') }
