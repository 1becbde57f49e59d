import { findRow } from '@landfall/catalog'
import type { Narrator } from '../narrator.ts'
import type { RegistryEvents } from '../registry.ts'

/** Tells people of the trials that the runner has observed. */
export function tellTrials(narrator: Narrator): RegistryEvents {
  let fixtures: readonly string[] = []
  return {
    begun: ({ trial, entries, beforeMs }, { processes }, { about, tokens, decoys }) => {
      fixtures = [...new Set(tokens.map(({ fixture }) => fixture))]
      const opening = {
        trial,
        entries,
        fixtures,
        decoys: decoys.map(({ name, path }) => ({ name, path })),
        rounds: false,
        ...(about === undefined ? {} : { about }),
      }
      const text = `watching the trial ${trial}: ${entries} entries in ${Math.round(beforeMs)} ms`
      narrator.begin(opening, text, processes)
    },
    ended: (observation) => {
      const { trial, changes, afterMs, blindness, live } = observation
      narrator.seen(
        trial,
        fixtures.flatMap((id) => findRow(id) ?? []),
        observation,
      )
      narrator.live(trial, live)
      narrator.blind(trial, blindness)
      const text = `the trial ${trial} has ended: ${changes.length} changes in ${Math.round(afterMs)} ms`
      narrator.end(trial, text, 'ended', observation)
    },
    dropped: (trial, why) => narrator.end(trial, `the trial ${trial} was ${why}`, 'dropped'),
  }
}
