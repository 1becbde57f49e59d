import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Duplex, PassThrough } from 'node:stream'
import { z } from 'zod'
import type { Observer } from '../containers.ts'
import { getContainerRuntimeClient, image } from '../containers.ts'
import type { Operation } from './operations.ts'

/** A victim whose only process does what it is told: see `operator.mjs`. */

/** A group that the victim is in besides its user's own. */
export const otherGroup = 4242

type OperatorRequest = Operation | { readonly op: 'wipe'; readonly path: string }

export class OperatedVictim implements AsyncDisposable {
  readonly #remove: () => Promise<void>
  readonly #input: Duplex
  readonly #answers: AsyncIterator<string>

  private constructor(input: Duplex, answers: AsyncIterator<string>, remove: () => Promise<void>) {
    this.#input = input
    this.#answers = answers
    this.#remove = remove
  }

  /** Has a volume at `/home/node`, a tmpfs at `/tmp`, and the image's own disk at `/var/tmp`. */
  static async start(observer: Observer, trial: string, uid: number): Promise<OperatedVictim> {
    const source = await readFile(new URL('./operator.mjs', import.meta.url), 'utf8')
    const engine = (await getContainerRuntimeClient()).container.dockerode
    const container = await engine.createContainer({
      Image: image,
      Cmd: ['node', '--input-type=module', '-e', source],
      Env: [`LANDFALL_TRIAL=${trial}`],
      User: `${uid}:${uid}`,
      OpenStdin: true,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Volumes: { '/home/node': {} },
      HostConfig: {
        PidMode: `container:${observer.container.getId()}`,
        NetworkMode: 'none',
        Init: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        GroupAdd: [String(otherGroup)],
        Tmpfs: { '/tmp': 'rw,mode=1777' },
      },
    })
    const remove = () => container.remove({ force: true, v: true })
    try {
      const input = await container.attach({
        stream: true,
        hijack: true,
        stdin: true,
        stdout: true,
        stderr: true,
      })
      if (!(input instanceof Duplex)) throw new Error('the engine gave no way to talk to the victim')
      const output = new PassThrough()
      engine.modem.demuxStream(input, output, process.stderr)
      input.on('close', () => output.end())
      await container.start()
      const answers = createInterface({ input: output })[Symbol.asyncIterator]()
      const victim = new OperatedVictim(input, answers, remove)
      if ((await victim.#answer()) !== 'ready') throw new Error('the operator did not start')
      return victim
    } catch (error) {
      await remove()
      throw error
    }
  }

  /** Does all of it. @throws Error with every operation that was not possible. */
  async run(operations: readonly OperatorRequest[]): Promise<void> {
    this.#input.write(`${JSON.stringify(operations)}\n`)
    const failed = z.array(z.string()).parse(JSON.parse(await this.#answer()))
    if (failed.length > 0) throw new Error(`the victim could not: ${failed.slice(0, 5).join('; ')}`)
  }

  async #answer(): Promise<string> {
    const line = await this.#answers.next()
    if (line.done === true) throw new Error('the operator has ended')
    return line.value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#input.destroy()
    await this.#remove()
  }
}
