import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './victim.ts'

/** The real skills server as a process of its own on this machine: services do not import each other. */
export interface SkillsServer extends AsyncDisposable {
  readonly url: string
  /** Its control interface, which registers trials. */
  readonly controlUrl: string
}

export async function startSkillsServer(): Promise<SkillsServer> {
  const [port, control] = await freePorts()
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    CONTROL_PORT: String(control),
    LOG_LEVEL: 'silent',
    SERVE_PROFILE: 'all',
    // A sweep asks more often than any client should.
    RATE_LIMIT: '0',
  }
  const child = spawn(process.execPath, ['services/skills-server/src/main.ts'], { cwd: root, env, stdio: 'ignore' })
  const server = {
    url: `http://127.0.0.1:${port}/mcp`,
    controlUrl: `http://127.0.0.1:${control}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the skills server ended with ${child.exitCode}`)
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (answer?.ok === true) return server
    await sleep(100)
  }
  await server[Symbol.asyncDispose]()
  throw new Error('the skills server did not become healthy in 40 s')
}

/** Both are held until both are known, or they could be the same. */
async function freePorts(): Promise<[number, number]> {
  await using first = await held()
  await using second = await held()
  return [first.port, second.port]
}

async function held() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const close = async () => {
    server.close()
    await once(server, 'close')
  }
  return { port: address.port, [Symbol.asyncDispose]: close }
}
