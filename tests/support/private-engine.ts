import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'

/**
 * An engine of the test's own, to be killed and started again: in a network namespace of its own, with its own
 * data folder and socket, so that nothing of the machine's engine is touched.
 */
export class PrivateEngine implements AsyncDisposable {
  readonly #folder: string
  readonly #holder: ChildProcess
  #daemon: ChildProcess | undefined

  private constructor(folder: string, holder: ChildProcess) {
    this.#folder = folder
    this.#holder = holder
  }

  static async start(): Promise<PrivateEngine> {
    // Below /var: an engine's data folder cannot be a tmpfs, which /tmp is on some machines.
    const folder = await mkdtemp('/var/tmp/landfall-engine-')
    const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' })
    await once(holder, 'spawn')
    const engine = new PrivateEngine(folder, holder)
    try {
      await engine.#waitForNamespace()
      await execa('nsenter', [...engine.#namespace, 'ip', 'link', 'set', 'lo', 'up'])
      await engine.startDaemon()
      return engine
    } catch (error) {
      await engine[Symbol.asyncDispose]()
      throw error
    }
  }

  get #namespace(): string[] {
    return ['--net', '--target', String(this.#holder.pid)]
  }

  /** To be put in front of a command that shall reach this engine's published ports. */
  get prefix(): string[] {
    return ['nsenter', ...this.#namespace]
  }

  get env(): Record<string, string> {
    return { DOCKER_HOST: `unix://${join(this.#folder, 'docker.sock')}`, LANDFALL_SETUP: 'never' }
  }

  async docker(args: readonly string[]): Promise<string> {
    return (await execa('docker', args, { env: this.env })).stdout
  }

  async startDaemon(): Promise<void> {
    const at = (name: string) => join(this.#folder, name)
    await rm(at('pid'), { force: true })
    const args = [
      '--data-root',
      at('data'),
      '--exec-root',
      at('exec'),
      '--pidfile',
      at('pid'),
      '-H',
      `unix://${at('docker.sock')}`,
    ]
    this.#daemon = spawn('nsenter', [...this.#namespace, 'dockerd', ...args], { stdio: 'ignore', detached: true })
    for (let attempt = 0; attempt < 120; attempt += 1) {
      if ((await execa('docker', ['version'], { env: this.env, reject: false })).exitCode === 0) return
      await delay(250)
    }
    throw new Error('the private engine did not start')
  }

  /** Ends the daemon as a crash would. Its containers go on until it is started again. */
  async killDaemon(): Promise<void> {
    const daemon = this.#daemon
    if (daemon === undefined) return
    const gone = once(daemon, 'exit')
    process.kill(Number(await readFile(join(this.#folder, 'pid'), 'utf8')), 'SIGKILL')
    await gone
    this.#daemon = undefined
  }

  /** Copies images from the machine's engine, under their names. */
  async load(images: readonly string[]): Promise<void> {
    const { DOCKER_HOST: _, ...own } = process.env
    await execa('docker', ['save', ...images], { env: own, extendEnv: false, buffer: false }).pipe('docker', ['load'], {
      env: this.env,
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#daemon !== undefined) {
      const ids = (await this.docker(['ps', '-aq']).catch(() => '')).split('\n').filter((id) => id !== '')
      if (ids.length > 0) await this.docker(['rm', '-f', ...ids]).catch(() => undefined)
      const gone = once(this.#daemon, 'exit')
      process.kill(Number(await readFile(join(this.#folder, 'pid'), 'utf8')), 'SIGTERM')
      await Promise.race([gone, delay(15_000)])
      await this.killDaemon().catch(() => undefined)
    }
    this.#holder.kill('SIGKILL')
    await execa('umount', ['--lazy', join(this.#folder, 'data')], { reject: false })
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  /** `unshare` enters the namespace a moment after it was spawned. */
  async #waitForNamespace(): Promise<void> {
    const own = await execa('readlink', ['/proc/self/ns/net'])
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const held = await execa('readlink', [`/proc/${this.#holder.pid}/ns/net`], { reject: false })
      if (held.exitCode === 0 && held.stdout !== own.stdout) return
      await delay(20)
    }
    throw new Error('no network namespace could be made')
  }
}
