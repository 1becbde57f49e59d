import { Duplex, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { decoys, decoyToken } from '@landfall/catalog'
import { LandfallError, parseAs, userFacts, type VictimUser } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { pack } from 'tar-stream'
import { z } from 'zod'
import { BoundedLog } from './bounded-log.ts'
import { isGone } from './engine.ts'
import { type EngineChange, EngineChanges } from './witness-engine.ts'
import { victimOptions, type VictimIdentity, type VictimService } from './sandbox.ts'

/**
 * A victim: one container for one trial. Created with its decoys in it, started, run, and removed.
 *
 * It starts idle, or with one command that itself waits for a line on its standard input, so that it can load
 * while the observer looks; when the command has ended, so has the victim, and nothing of it can
 * write any more. Further commands can be executed into a victim that has none of its own.
 */
export interface StepOutput {
  readonly timedOut: boolean
  readonly durationMs: number
  readonly stdout: string
  readonly stderr: string
}

export interface StepLog extends StepOutput {
  /** Null when the step was killed at its limit. */
  readonly exitCode: number | null
}

export interface StepLimits {
  readonly limitSeconds: number
  readonly signal?: AbortSignal
}

export class Victim implements AsyncDisposable {
  readonly #container: Dockerode.Container
  #input: Duplex | undefined
  #exit: Promise<number> | undefined

  private constructor(container: Dockerode.Container) {
    this.#container = container
  }

  static async create(
    engine: Dockerode,
    service: VictimService,
    identity: VictimIdentity,
    canary: string,
    command?: readonly string[],
  ): Promise<Victim> {
    const options = victimOptions(service, identity)
    const container = await engine.createContainer(
      command === undefined ? options : { ...options, ...waiting(command) },
    )
    const victim = new Victim(container)
    try {
      await container.putArchive(await decoyArchive(identity.user, canary), { path: '/' })
      if (command !== undefined) {
        const stream = await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true })
        if (!(stream instanceof Duplex))
          throw new LandfallError('engine', 'the engine gave no way to talk to the victim')
        victim.#input = stream
      }
      return victim
    } catch (error) {
      await victim[Symbol.asyncDispose]()
      throw error
    }
  }

  async start(): Promise<void> {
    await this.#container.start()
    if (this.#input === undefined) return
    this.#exit = this.#container.wait().then((answer) => Exit.parse(answer).StatusCode)
    // Whoever needs it awaits it; a victim that is given up is removed without anybody listening.
    this.#exit.catch(() => undefined)
  }

  /**
   * Lets the victim's own command go on, and returns when it has ended. The engine knows its exit code a moment
   * later: see {@link exitCode}. At `limitSeconds` the victim is killed.
   */
  async run(limits: StepLimits): Promise<StepOutput> {
    if (this.#input === undefined) throw new Error('this victim has no command of its own')
    this.#input.write('\n')
    return this.#follow(this.#input, limits)
  }

  /** Exit code of the victim's own command, once the engine has taken the container apart. */
  async exitCode(): Promise<number> {
    if (this.#exit === undefined) throw new Error('this victim has no command of its own, or was not started')
    return this.#exit
  }

  /** Executes a command into an idle victim. At `limitSeconds` the victim is killed: the engine cannot end an exec. */
  async exec(command: readonly string[], options: StepLimits & { user?: VictimUser }): Promise<StepLog> {
    const facts = options.user === undefined ? undefined : userFacts[options.user]
    const exec = await this.#container.exec({
      Cmd: [...command],
      AttachStdout: true,
      AttachStderr: true,
      ...(facts === undefined ? {} : { User: `${facts.uid}:${facts.gid}`, Env: [`HOME=${facts.home}`] }),
    })
    const output = await this.#follow(await exec.start({ hijack: true, stdin: false }), options)
    return { ...output, exitCode: output.timedOut ? null : (await exec.inspect()).ExitCode }
  }

  async #follow(stream: Duplex, { limitSeconds, signal }: StepLimits): Promise<StepOutput> {
    const started = performance.now()
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
    }, limitSeconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      await finished(stream, { writable: false })
      return { timedOut, durationMs: performance.now() - started, stdout: out.text, stderr: err.text }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
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
    // A victim that was never started keeps the engine's end of this open, and with it this process.
    this.#input?.destroy()
    await ignoreGone(this.#container.remove({ force: true, v: true }))
  }
}

const Exit = z.object({ StatusCode: z.int() })

/** A runner that dies closes the input, which ends the command's wait. */
function waiting(command: readonly string[]) {
  return {
    Cmd: [...command],
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
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
