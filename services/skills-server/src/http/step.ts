import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * One step of answering a request: answers it, or calls `next`. Plain Node, so that the MCP port, where every
 * request counts, needs no framework; the framework of the control port takes the same steps.
 */
export type Step = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** The steps as one. */
export function inOrder(steps: readonly Step[]): Step {
  return (request, response, next) => {
    const from = (index: number): void => {
      const step = steps[index]
      if (step === undefined) next()
      else step(request, response, () => from(index + 1))
    }
    from(0)
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8')
  const all = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length, ...headers }
  response.writeHead(status, all).end(bytes)
}
