import { LandfallError } from '@landfall/contracts/errors'
import { closest } from 'fastest-levenshtein'

/**
 * What a rule of the reference host is, and the switch that turns it off.
 *
 * Every check of the host goes through {@link Guard}: it knows which rules hold, and says of each decision by which
 * rule it fell. With a rule off the host does what a careless host does in its place.
 */
export interface Rule {
  /** Names the rule in logs and in `--without`. */
  readonly id: string
  /** Clauses of the fact sheet that it implements; any of them names it too. Empty where no text asks for it. */
  readonly clauses: readonly string[]
  /** What it demands, in one sentence. */
  readonly says: string
}

/** A decision, as it is logged. */
export interface Decision {
  readonly rule: string
  readonly decision: 'refuse' | 'change' | 'off'
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** The host will not do what was asked for. Not a defect: it is what the host is for. */
export class Refusal extends Error {
  readonly rule: Rule
  readonly data: Readonly<Record<string, unknown>>

  constructor(rule: Rule, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.rule = rule
    this.data = data
  }
}

export class Guard {
  readonly #off: ReadonlySet<Rule>
  readonly #log: (decision: Decision) => void
  /** Rules that anything depended on so far. One that is not among them could not have changed anything. */
  readonly consulted = new Set<Rule>()

  constructor(off: readonly Rule[], log: (decision: Decision) => void) {
    this.#off = new Set(off)
    this.#log = log
  }

  /** Whether the rule holds. */
  on(rule: Rule): boolean {
    this.consulted.add(rule)
    return !this.#off.has(rule)
  }

  /** @throws Refusal when the rule holds and `kept` is false. `message` says what is wrong. */
  hold(rule: Rule, kept: boolean, message: string, data: Readonly<Record<string, unknown>> = {}): void {
    this.consulted.add(rule)
    if (kept) return
    const off = this.#off.has(rule)
    this.#log({ rule: rule.id, decision: off ? 'off' : 'refuse', message, data })
    if (!off) throw new Refusal(rule, message, data)
  }

  /** Says what a rule has changed in what was asked for. */
  changed(rule: Rule, message: string, data: Readonly<Record<string, unknown>> = {}): void {
    this.#log({ rule: rule.id, decision: 'change', message, data })
  }
}

/** @throws LandfallError `usage` for a name that no rule has, with the nearest that one has. */
export function findRules(all: readonly Rule[], names: readonly string[]): Rule[] {
  return names.map((name) => {
    const rule = all.find(({ id, clauses }) => id === name || clauses.includes(name))
    if (rule !== undefined) return rule
    const nearest = closest(
      name,
      all.flatMap(({ id, clauses }) => [id, ...clauses]),
    )
    throw new LandfallError('usage', `there is no rule ${JSON.stringify(name)}. Did you mean ${nearest}?`, { nearest })
  })
}
