import { findFixture } from '@landfall/catalog'
import { pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { createApi } from './api.ts'
import { systemClock } from './clock.ts'
import type { Subject } from './compare.ts'
import { holdVictim, tryHoldVictim } from './hold.ts'
import { defaultLimits } from './limits.ts'
import { listen } from './listen.ts'
import { LiveFeed } from './live-feed.ts'
import { Narrator } from './narrator.ts'
import { pageRoutes } from './page-routes.ts'
import { startReaper } from './reaper.ts'
import { ObservationRegistry } from './registry.ts'
import { Sampler } from './processes/sampler.ts'
import { readSettings } from './settings.ts'
import { warmUp } from './warm-up.ts'
import { watchManual } from './watch-manual.ts'

/**
 * Starts the observer. No signal handler is installed anywhere: as PID 1 the kernel then drops every signal
 * that a victim sends, whoever it runs as.
 */
const settings = readSettings(process.env)
const log = pino({ name: 'observer', level: settings.logLevel }, pino.destination(2))
const observing = { clock: systemClock, limits: defaultLimits }

startReaper()
const feed = new LiveFeed(systemClock)
const trials = new Narrator(log, feed)
let subject: Subject | undefined
const registry = new ObservationRegistry({
  ...observing,
  hold: holdVictim,
  sample: (held) => Sampler.start(held, { clock: systemClock }),
  events: {
    begun: ({ trial, entries, beforeMs }, watched) => {
      subject = watched
      trials.begin(trial, `watching the trial ${trial}: ${entries} entries in ${Math.round(beforeMs)} ms`)
    },
    ended: (observation) => {
      const { trial, changes, afterMs, blindness } = observation
      const fixtures = new Set([...(subject?.tokens.values() ?? [])].map(({ fixture }) => fixture))
      trials.seen(
        trial,
        [...fixtures].flatMap((id) => findFixture(id) ?? []),
        observation,
      )
      trials.blind(trial, blindness)
      trials.end(trial, `the trial ${trial} has ended: ${changes.length} changes in ${Math.round(afterMs)} ms`)
    },
    dropped: (trial, why) => trials.end(trial, `the trial ${trial} was ${why}`),
  },
})
const api = createApi({
  registry,
  version: manifest.version,
  allowedHosts: settings.allowedHosts,
  pages: pageRoutes(feed),
  onFault: (error) => log.error({ error }, 'a request failed'),
})
await listen(api, settings.host, settings.port)
log.info(`listening on ${settings.host}:${settings.port}`)
warmUp(observing)
if (settings.watchManual) {
  const narrator = new Narrator(log, feed)
  await watchManual({ ...observing, hold: tryHoldVictim, narrator, demoSeed: settings.demoSeed })
}
