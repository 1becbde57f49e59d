import type { Observation, ObservationEnd, ObservationRequest, ObservationStarted } from '@landfall/contracts'
import { LandfallError } from '@landfall/contracts'
import type { HeldRoot } from './held.ts'
import type { LiveTrial, LiveWitness } from './live/witness.ts'
import type { ObservationDependencies, RunningObservation } from './observation.ts'
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

export interface RegistryOptions extends ObservationDependencies {
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
    const current: Current = { trial: request.trial }
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
      running = beginObservation(held, request, this.#options)
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
   * @throws LandfallError `unknown` when this trial is not being observed.
   */
  async end(trial: string, end: ObservationEnd): Promise<Observation> {
    const running = this.#find(trial)
    const current = this.#current
    const live = await current?.live?.stop()
    // It may have been dropped or ended by somebody else meanwhile.
    if (this.#current !== current) throw this.#unknown(trial)
    try {
      const observation = running.end(end, live)
      this.#options.events.ended(observation)
      return observation
    } finally {
      this.#release()
    }
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
    this.#current?.live?.[Symbol.dispose]()
    this.#current?.running?.[Symbol.dispose]()
    this.#current = undefined
  }
}

function abandonedEarly(trial: string): LandfallError {
  return new LandfallError('interrupted', `The trial ${trial} was abandoned before it began`)
}
