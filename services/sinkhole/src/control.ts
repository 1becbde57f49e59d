import { type Health, LandfallError, parseAs, SinkholeRegistration, TrialId } from '@landfall/contracts'
import type { Express, Request, Response } from 'express'
import express from 'express'
import type { Feed } from './feed.ts'
import { answerErrors, jsonOnly, knownHostsOnly } from './http.ts'
import type { TrialRegistry } from './trials.ts'
import { serverInfo } from './version.ts'

/** The port for the runner and the live page: registers trials, hands out what they sent, and tells what comes. */
export interface ControlParts {
  readonly trials: TrialRegistry
  readonly feed: Feed
  /** PEM of our authority. */
  readonly certificate: string
  readonly allowedHosts: readonly string[]
  readonly onFault: (error: unknown) => void
}

/** Ten thousand tokens and a hundred answers fit. */
const bodyLimit = '8mb'

export function createControl({ trials, feed, certificate, allowedHosts, onFault }: ControlParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use(knownHostsOnly(allowedHosts))
  app.use((_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' })
    next()
  })
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok', service: 'sinkhole', version: serverInfo.version } satisfies Health)
  })
  app.post('/trials', jsonOnly, express.json({ limit: bodyLimit }), (request: Request, response: Response) => {
    response.status(201).json(trials.register(parseAs(SinkholeRegistration, request.body, 'The registration')))
  })
  app.get('/trials/:key', (request, response) => {
    response.json(trials.record(parseAs(TrialId, request.params.key, 'The key')))
  })
  app.delete('/trials/:key', (request, response) => {
    response.json(trials.remove(parseAs(TrialId, request.params.key, 'The key')))
  })
  app.get('/unattributed', (_request, response) => {
    response.json(trials.unattributed())
  })
  app.get('/ca.pem', (_request, response) => {
    response.type('application/x-pem-file').send(certificate)
  })
  app.get('/events', (request, response) => {
    const last = Number(request.headers['last-event-id'] ?? 0)
    if (!feed.attach(response, Number.isSafeInteger(last) ? last : 0)) response.status(503).end()
  })
  app.use((request: Request) => {
    const name = request.path.slice(0, 200)
    throw new LandfallError('unknown', `There is nothing at ${request.method} ${name}`, { kind: 'path', name })
  })
  app.use(answerErrors(onFault))
  return app
}
