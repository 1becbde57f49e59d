import { fileURLToPath } from 'node:url'
import type { Express, Request, Response } from 'express'
import type { LiveFeed } from './live-feed.ts'

/** The live page for people: three static files, and the events they show. */

const files = { '/': 'index.html', '/page.js': 'page.js', '/page.css': 'page.css' } as const

export function pageRoutes(feed: LiveFeed) {
  return (app: Express): void => {
    for (const [path, file] of Object.entries(files)) {
      const absolute = fileURLToPath(new URL(`./page/${file}`, import.meta.url))
      app.get(path, (_request: Request, response: Response) => {
        response.sendFile(absolute, { cacheControl: false, lastModified: false })
      })
    }
    app.get('/favicon.ico', (_request: Request, response: Response) => {
      response.status(204).end()
    })
    app.get('/events', (request: Request, response: Response) => {
      const last = Number(request.headers['last-event-id'] ?? 0)
      if (!feed.attach(response, Number.isSafeInteger(last) ? last : 0)) response.status(503).end()
    })
  }
}
