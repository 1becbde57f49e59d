import type { Duplex, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { decoys, decoyToken } from '@landfall/catalog'
import { parseAs, userFacts, type VictimUser } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { pack } from 'tar-stream'
import { BoundedLog } from './bounded-log.ts'
import { isGone } from './engine.ts'
import { type EngineChange, EngineChanges } from './witness-engine.ts'
import { victimOptions, type VictimIdentity, type VictimService } from './sandbox.ts'

/**
 * A victim: one container for one trial. Created with its decoys in it, started idle, executed into, killed,
 * and removed.
 */
export interface StepLog {
  readonly exitCode: number | null
  readonly timedOut: boolean
  readonly durationMs: number
  readonly stdout: string
  readonly stderr: string
}

export class Victim implements AsyncDisposable {
  readonly #container: Dockerode.Container

  private constructor(container: Dockerode.Container) {
    this.#container = container
  }

  static async create(
    engine: Dockerode,
    service: VictimService,
    identity: VictimIdentity,
    canary: string,
  ): Promise<Victim> {
    const container = await engine.createContainer(victimOptions(service, identity))
    const victim = new Victim(container)
    try {
      await container.putArchive(await decoyArchive(identity.user, canary), { path: '/' })
      return victim
    } catch (error) {
      await victim[Symbol.asyncDispose]()
      throw error
    }
  }

  get id(): string {
    return this.#container.id
  }

  async start(): Promise<void> {
    await this.#container.start()
  }

  /** Runs a command in the victim. At `limitSeconds` the whole victim is killed: the engine cannot end an exec. */
  async exec(
    command: readonly string[],
    options: { user?: VictimUser; limitSeconds: number; signal?: AbortSignal },
  ): Promise<StepLog> {
    const facts = options.user === undefined ? undefined : userFacts[options.user]
    const started = performance.now()
    const exec = await this.#container.exec({
      Cmd: [...command],
      AttachStdout: true,
      AttachStderr: true,
      ...(facts === undefined ? {} : { User: `${facts.uid}:${facts.gid}`, Env: [`HOME=${facts.home}`] }),
    })
    const stream = await exec.start({ hijack: true, stdin: false })
    const out = new BoundedLog()
    const err = new BoundedLog()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the typings leave the stream splitter untyped
    const modem = this.#container.modem as { demuxStream(from: Duplex, out: Writable, err: Writable): void }
    modem.demuxStream(stream, out, err)
    let timedOut = false
    const stop = () => void this.kill().catch(() => stream.destroy())
    const timer = setTimeout(() => {
      timedOut = true
      stop()
    }, options.limitSeconds * 1000)
    options.signal?.addEventListener('abort', stop, { once: true })
    try {
      await finished(stream, { writable: false })
      const { ExitCode } = timedOut ? { ExitCode: null } : await exec.inspect()
      return {
        exitCode: ExitCode,
        timedOut,
        durationMs: performance.now() - started,
        stdout: out.text,
        stderr: err.text,
      }
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', stop)
    }
  }

  /** Ends every process of the victim. What it wrote stays readable through a held descriptor until removal. */
  async kill(): Promise<void> {
    await ignoreGone(this.#container.kill({ signal: 'SIGKILL' }))
  }

  /** Witness W2: what differs from the image, as the engine sees it. Holds for a killed victim too. */
  async changes(): Promise<EngineChange[]> {
    return parseAs(EngineChanges, await this.#container.changes(), "the engine's list of changes") ?? []
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ignoreGone(this.#container.remove({ force: true, v: true }))
  }
}

async function ignoreGone(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** The decoys of one trial as a tar archive, owned by the victim's user: a hard link needs an owned target. */
async function decoyArchive(user: VictimUser, canary: string): Promise<Buffer> {
  const { uid, gid, home } = userFacts[user]
  const archive = pack()
  for (const decoy of decoys) {
    const header = { name: `${home.slice(1)}/${decoy.path}`, mode: decoy.mode, uid, gid, mtime: new Date(0) }
    archive.entry(header, decoy.content(decoyToken(canary, decoy.name)))
  }
  archive.finalize()
  return buffer(archive)
}
