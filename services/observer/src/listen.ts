import { lookup } from 'node:dns/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Express } from 'express'

/** Binds the service to one address, which may be a name that the engine makes known a moment later. */

const attempts = 60
const pauseMs = 500

/** The address of `host`, waiting up to half a minute for a name to appear. */
async function resolve(host: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await lookup(host)).address
    } catch (error) {
      if (attempt >= attempts) throw error
      await sleep(pauseMs)
    }
  }
}

/** Listens on `host` and answers once connections are accepted. Port 0 takes a free one. */
export async function listen(app: Express, host: string, port: number): Promise<Server> {
  const address = await resolve(host)
  // Express knows the request types that its own application takes.
  const server = createServer((request, response) => void app(request, response))
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, address, () => {
      server.off('error', fail)
      done()
    })
  })
  return server
}
