import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'

/** Asks one server the same thing over and over, on a few connections at once. */
export interface Ask {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const connections = 8

/** Requests a second over `ms` milliseconds. @throws Error when an answer is not 200. */
export async function requestsPerSecond(url: string, ask: Ask, ms: number): Promise<number> {
  const started = performance.now()
  const answered = await askWhile(url, ask, () => performance.now() < started + ms)
  return (answered / (performance.now() - started)) * 1000
}

/** Asks `count` times, so that a server has compiled what it runs, however slow the machine is at the moment. */
export async function warmUp(url: string, ask: Ask, count: number): Promise<void> {
  await askWhile(url, ask, (answered) => answered < count)
}

async function askWhile(url: string, ask: Ask, goOn: (answered: number) => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let answered = 0
  const worker = async () => {
    while (goOn(answered)) {
      await once(url, ask, agent)
      answered += 1
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, worker))
    return answered
  } finally {
    agent.destroy()
  }
}

async function once(url: string, { headers, body }: Ask, agent: Agent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const length = Buffer.byteLength(body)
  const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': length } }, answered)
  function answered(response: IncomingMessage): void {
    if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
    response.on('end', resolve).on('error', reject).resume()
  }
  sent.on('error', reject)
  sent.end(body)
  await promise
}
