import { LandfallError } from '@landfall/contracts'
import type { HeldRoot } from '../held.ts'
import type { ReadBytes } from './content-on-demand.ts'
import { readFileAt } from './content-on-demand.ts'

/** The victim that is driven by hand, for as long as it is there: its files may be looked into. */
export class LivingVictim {
  #held: HeldRoot | undefined

  /** Called with the victim when it is met, and without one when it is gone. */
  readonly met = (held: HeldRoot | undefined): void => {
    this.#held = held
  }

  /** @throws LandfallError `unknown` when there is no such victim or file. */
  readonly read = (key: string, most: number): ReadBytes => {
    if (this.#held !== undefined) return readFileAt(this.#held, key, most)
    throw new LandfallError('unknown', 'There is no victim whose files can be read on demand', {
      kind: 'victim',
      name: 'manual',
    })
  }
}
