import { pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { createApi } from './api.ts'
import { systemClock } from './clock.ts'
import { holdVictim } from './hold.ts'
import { defaultLimits } from './limits.ts'
import { listen } from './listen.ts'
import { startReaper } from './reaper.ts'
import { ObservationRegistry } from './registry.ts'
import { readSettings } from './settings.ts'

/**
 * Starts the observer. No signal handler is installed anywhere: as PID 1 the kernel then drops every signal
 * that a victim sends, whoever it runs as.
 */
const settings = readSettings(process.env)
const log = pino({ name: 'observer', level: settings.logLevel }, pino.destination(2))

startReaper()
const registry = new ObservationRegistry({
  clock: systemClock,
  limits: defaultLimits,
  hold: holdVictim,
  events: {
    begun: ({ trial, entries, beforeMs }) => log.info({ trial, entries, beforeMs }, `watching ${trial}`),
    ended: ({ trial, changes, afterMs }) => log.info({ trial, changes: changes.length, afterMs }, `ended ${trial}`),
    dropped: (trial, why) => log.warn({ trial }, `${why}: ${trial}`),
  },
})
const api = createApi({
  registry,
  version: manifest.version,
  allowedHosts: settings.allowedHosts,
  onFault: (error) => log.error({ error }, 'a request failed'),
})
await listen(api, settings.host, settings.port)
log.info({ host: settings.host, port: settings.port }, `observer listening on ${settings.host}:${settings.port}`)
