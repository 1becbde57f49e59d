import type { Observation, ObservationEnd, ObservationRequest, ObservationStarted } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import type { HeldRoot } from './held.ts'
import { withUnseen } from './live/agree.ts'
import type { LiveTrial, LiveWitness } from './live/witness.ts'
import type { BeginDependencies, RunningObservation } from './observation.ts'
import { beginObservation } from './observation.ts'
import { waitUntilQuiet } from './quiet.ts'

/**
 * The one trial this observer watches. One at a time, because victims that share a PID namespace could kill
 * and read each other; the runner starts an observer for each trial it runs at the same time.
 */
export interface RegistryEvents {
  readonly begun: (started: ObservationStarted, running: RunningObservation, request: ObservationRequest) => void
  readonly ended: (observation: Observation) => void
  readonly dropped: (trial: string, why: 'abandoned' | 'forgotten') => void
}

export interface RegistryOptions extends BeginDependencies {
  readonly hold: (marker: string) => Promise<HeldRoot>
  readonly events: RegistryEvents
  /** Witness W3; without it every observation says that there were no live events. */
  readonly live?: LiveWitness
  /** Whether a process of the victim is left. */
  readonly othersAlive?: () => boolean
  /** After this long a trial that nobody ends is dropped. */
  readonly forgetAfterMs?: number
}

interface Current {
  readonly trial: string
  /** Ends a walk that is under way. */
  readonly stop: AbortController
  /** The *after* manifest is being taken: who takes it disposes of what it needs. */
  ending?: true
  running?: RunningObservation
  live?: LiveTrial
}

const halfAnHour = 30 * 60 * 1000

export class ObservationRegistry implements Disposable {
  readonly #options: RegistryOptions
  #current: Current | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: RegistryOptions) {
    this.#options = options
  }

  /**
   * Finds and holds the victim and takes the *before* manifest.
   *
   * @throws LandfallError `conflict` when a trial is being observed, `unknown` when there is no such victim.
   */
  async begin(request: ObservationRequest): Promise<ObservationStarted> {
    if (this.#current !== undefined) {
      const { trial } = this.#current
      throw new LandfallError('conflict', `This observer already observes the trial ${trial}`, { trial })
    }
    const current: Current = { trial: request.trial, stop: new AbortController() }
    this.#current = current
    try {
      const held = await this.#options.hold(request.marker)
      if (this.#current !== current) {
        held[Symbol.dispose]()
        throw abandonedEarly(request.trial)
      }
      const running = await this.#start(current, held, request)
      current.running = running
      this.#timer = setTimeout(() => this.#drop('forgotten'), this.#options.forgetAfterMs ?? halfAnHour)
      this.#timer.unref()
      this.#options.events.begun(running.started, running, request)
      return running.started
    } catch (error) {
      if (this.#current === current) this.#release()
      throw error
    }
  }

  /** Watches are set while the *before* manifest is taken; those on decoys after it, for it reads them. */
  async #start(current: Current, held: HeldRoot, request: ObservationRequest): Promise<RunningObservation> {
    const live = this.#options.live?.begin(held, request)
    let running: RunningObservation | undefined
    try {
      running = await beginObservation(held, request, this.#options, current.stop.signal)
      await live?.arm(running.subject.decoys)
      if (this.#current !== current) throw abandonedEarly(request.trial)
      if (live !== undefined) current.live = live
      return running
    } catch (error) {
      live?.[Symbol.dispose]()
      ;(running ?? held)[Symbol.dispose]()
      throw error
    }
  }

  /**
   * Ends the live events, takes the *after* manifest, answers the observation and forgets the trial. Live events
   * end first: the manifest reads content, decoys among it.
   *
   * @throws LandfallError `unknown` when this trial is not being observed, `conflict` when it is ending already,
   * `interrupted` when it was dropped meanwhile.
   */
  async end(trial: string, end: ObservationEnd): Promise<Observation> {
    using running = this.#takeForEnd(trial)
    const current = this.#current
    try {
      const ended = await current?.live?.stop()
      const seen = await running.end(end, ended?.live)
      // Dropped in the last moment: whoever did it was told so.
      current?.stop.signal.throwIfAborted()
      const observation = ended === undefined ? seen : { ...seen, live: withUnseen(ended, seen.changes) }
      this.#options.events.ended(observation)
      return observation
    } finally {
      if (this.#current === current) this.#release()
    }
  }

  #takeForEnd(trial: string): RunningObservation {
    const running = this.#find(trial)
    if (this.#current?.ending === true) throw new LandfallError('conflict', `The trial ${trial} is ending`, { trial })
    if (this.#current !== undefined) this.#current.ending = true
    return running
  }

  /**
   * Waits for the victim's last process.
   *
   * @throws LandfallError `unknown` when this trial is not being observed.
   */
  async quiet(trial: string, waitMs: number): Promise<boolean> {
    this.#find(trial)
    return await waitUntilQuiet(waitMs, this.#options.othersAlive)
  }

  /**
   * Forgets a trial without an observation.
   *
   * @throws LandfallError `unknown` when this trial is not being observed.
   */
  abandon(trial: string): void {
    if (this.#current?.trial !== trial) throw this.#unknown(trial)
    this.#drop('abandoned')
  }

  [Symbol.dispose](): void {
    this.#release()
  }

  #drop(why: 'abandoned' | 'forgotten'): void {
    const trial = this.#current?.trial
    this.#release()
    if (trial !== undefined) this.#options.events.dropped(trial, why)
  }

  #find(trial: string): RunningObservation {
    const running = this.#current?.trial === trial ? this.#current.running : undefined
    if (running === undefined) throw this.#unknown(trial)
    return running
  }

  #unknown(trial: string): LandfallError {
    return new LandfallError('unknown', `The trial ${trial} is not being observed`, { kind: 'trial', name: trial })
  }

  #release(): void {
    clearTimeout(this.#timer)
    const current = this.#current
    this.#current = undefined
    current?.stop.abort(new LandfallError('interrupted', `The trial ${current.trial} was dropped`))
    current?.live?.[Symbol.dispose]()
    if (current?.ending !== true) current?.running?.[Symbol.dispose]()
  }
}

function abandonedEarly(trial: string): LandfallError {
  return new LandfallError('interrupted', `The trial ${trial} was abandoned before it began`)
}
