import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { PageChange } from '@landfall/contracts'
import { fromWirePath, parseAs, TrialId, WirePath } from '@landfall/contracts'
import type { Express, Request, Response } from 'express'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { LiveFeed } from './live-feed.ts'
import type { ReadBytes } from './live-page/content-on-demand.ts'
import { exportLimits, writeExport } from './live-page/export.ts'
import type { PageState } from './live-page/page-state.ts'

/** The live page for people: its static files, the state and the events that they show, and files to look into. */

export interface PageSources {
  readonly clock: Clock
  readonly feed: LiveFeed
  readonly page: PageState
  /** Content that is kept, by digest. */
  readonly evidence?: (sha256: string) => Promise<Buffer | undefined>
  /** The first bytes of a file (path bytes in latin1) of a living victim that may be looked into. */
  readonly readLive: (key: string, most: number) => ReadBytes
}

/** Bytes of a file that are shown. */
const shownBytes = 256 * 1024
const folder = new URL('./page/', import.meta.url)

const StateQuery = z.object({
  boot: z.string().max(64).optional(),
  after: z.coerce.number().int().nonnegative().default(0),
})
const TrialQuery = z.object({ since: z.iso.datetime().optional() })
const ContentQuery = z.object({ path: WirePath })

export function pageRoutes(sources: PageSources) {
  const { feed, page } = sources
  return (app: Express): void => {
    staticFiles(app)
    app.get('/state', (request: Request, response: Response) => {
      const { boot, after } = parseAs(StateQuery, request.query, 'The question for the state')
      response.json(page.snapshot({ boot, after }))
    })
    app.get('/events', (request: Request, response: Response) => {
      if (!feed.attach(response, String(request.headers['last-event-id'] ?? ''))) response.status(503).end()
    })
    app.get('/trials/:trial', (request: Request, response: Response) => {
      response.json(kept(request).log.view())
    })
    app.get('/trials/:trial/export', async (request: Request, response: Response) => {
      const trial = kept(request)
      const events = feed.past(trial.log.trial, trial.log.summary().since)
      const { clock } = sources
      await writeExport(response, {
        kept: trial,
        observer: page.observer(),
        events,
        exportedAt: clock.now(),
        read: (change) => readChange(change, trial.log === page.current ? sources.readLive : undefined),
      })
    })
    app.get('/content', (request: Request, response: Response) => {
      const { path } = parseAs(ContentQuery, request.query, 'The question for a file')
      const { bytes, size } = sources.readLive(fromWirePath(path).toString('latin1'), shownBytes)
      response.set({ 'Content-Type': 'application/octet-stream', 'X-Landfall-Size': String(size) }).send(bytes)
    })
  }

  function kept(request: Request) {
    const { since } = parseAs(TrialQuery, request.query, 'The question for a trial')
    return page.find(parseAs(TrialId, request.params['trial'], 'The name of the trial'), since)
  }

  async function readChange(
    { path, sha256 }: PageChange,
    readLive: PageSources['readLive'] | undefined,
  ): Promise<Buffer | undefined> {
    const stored = sha256 === undefined ? undefined : await sources.evidence?.(sha256)
    if (stored !== undefined || readLive === undefined) return stored
    try {
      const { bytes, size } = readLive(fromWirePath(path).toString('latin1'), exportLimits.fileBytes)
      return bytes.length === size ? bytes : undefined
    } catch {
      return undefined // It is gone by now.
    }
  }
}

const addresses: Readonly<Record<string, string | string[]>> = {
  'index.html': '/',
  'bundles.html': ['/bundles', '/bundles.html'],
}

/** Whatever lies in the folder and is part of a page; tests lie there too. */
function staticFiles(app: Express): void {
  for (const file of readdirSync(folder).filter((name) => /\.(?:html|css|js)$/.test(name))) {
    const absolute = fileURLToPath(new URL(file, folder))
    app.get(addresses[file] ?? `/${file}`, (_request: Request, response: Response) => {
      response.sendFile(absolute, { cacheControl: false, lastModified: false })
    })
  }
  app.get('/favicon.ico', (_request: Request, response: Response) => {
    response.status(204).end()
  })
}
