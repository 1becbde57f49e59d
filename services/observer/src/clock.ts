/** Time as the observer needs it, so that tests can hand in their own. */
export interface Clock {
  readonly now: () => Date
  /** Milliseconds since some fixed moment; never runs backwards. */
  readonly elapsed: () => number
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() }
