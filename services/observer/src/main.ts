import { pino } from 'pino'
import manifest from '../package.json' with { type: 'json' }
import { createApi } from './api.ts'
import { systemClock } from './clock.ts'
import { defaultEvidenceLimits } from './evidence/limits.ts'
import { EvidenceStore } from './evidence/store.ts'
import { holdVictim, tryHoldVictim } from './hold.ts'
import { defaultLimits } from './limits.ts'
import { listen } from './listen.ts'
import { LiveWatch } from './live/live-watch.ts'
import { sentencesOf } from './live/tell-live.ts'
import { LiveFeed } from './live-feed.ts'
import { LivingVictim } from './live-page/living-victim.ts'
import { PageState } from './live-page/page-state.ts'
import { followSinkhole } from './live-page/sinkhole-feed.ts'
import { tellTrials } from './live-page/tell-trials.ts'
import { Narrator } from './narrator.ts'
import { pageRoutes } from './page-routes.ts'
import { startReaper } from './reaper.ts'
import { ObservationRegistry } from './registry.ts'
import { Sampler } from './processes/sampler.ts'
import { readSettings } from './settings.ts'
import { warmUp } from './warm-up.ts'
import { watchManual } from './watch-manual.ts'
import { XattrCache } from './xattr-cache.ts'

/**
 * Starts the observer. No signal handler is installed anywhere: signals of a victim are refused, since its image
 * runs it as a user that no victim has, and what the kernel drops at a PID 1 needs none.
 */
const settings = readSettings(process.env)
const log = pino({ name: 'observer', level: settings.logLevel }, pino.destination(2))
/** A page need not know each sample, and a victim that a person drives need not be sampled as often as a trial. */
const sampledMs = 1_000
const manualSampleMs = 100
const observing = { clock: systemClock, limits: defaultLimits, xattrs: new XattrCache() }
const evidence =
  settings.evidenceDir === '' ? undefined : new EvidenceStore(settings.evidenceDir, defaultEvidenceLimits)

startReaper()
const page: PageState = new PageState({
  clock: systemClock,
  version: manifest.version,
  mode: settings.watchManual ? 'manual' : 'run',
  run: settings.run,
  onNews: (news) => feed.news(news),
})
const feed = new LiveFeed(systemClock, page.boot)
setInterval(() => feed.hasReaders && page.sampled(), sampledMs).unref()
const narrator = new Narrator(log, feed, page)
const live = new LiveWatch({
  onEvents: (trial, events, dropped) => {
    page.happened(trial, events)
    for (const told of sentencesOf(trial, events, dropped)) feed.publish(told)
  },
})
const registry = new ObservationRegistry({
  ...observing,
  live,
  hold: holdVictim,
  ...(evidence && { evidence }),
  sample: (held) => Sampler.start(held, { clock: systemClock }),
  events: tellTrials(narrator),
})
const living = new LivingVictim()
const api = createApi({
  registry,
  version: manifest.version,
  allowedHosts: settings.allowedHosts,
  pages: pageRoutes({
    clock: systemClock,
    feed,
    page,
    readLive: living.read,
    ...(evidence && { evidence: (sha256) => evidence.find(sha256) }),
  }),
  ...(evidence && { evidence }),
  onFault: (error) => log.error({ error }, 'a request failed'),
})
await listen(api, settings.host, settings.port)
log.info(`listening on ${settings.host}:${settings.port}`)
if (settings.sinkholeEvents !== '') {
  page.sinkhole('lost')
  void followSinkhole({
    url: settings.sinkholeEvents,
    onEvent: (event) => page.hit(event),
    onState: (state) => page.sinkhole(state),
  })
}
await warmUp(observing, live)
if (settings.watchManual) {
  await watchManual({
    ...observing,
    hold: tryHoldVictim,
    live,
    sample: (held) => Sampler.start(held, { clock: systemClock, intervalMs: manualSampleMs }),
    onMet: living.met,
    narrator,
    demoSeed: settings.demoSeed,
    ...(evidence && { evidence }),
  })
}
