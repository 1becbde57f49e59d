import type { Health, Quiet } from '@landfall/contracts'
import { LandfallError, ObservationEnd, ObservationRequest, parseAs, QuietRequest, TrialId } from '@landfall/contracts'
import type { Express, NextFunction, Request, Response } from 'express'
import express from 'express'
import { evidenceRoute } from './evidence/route.ts'
import type { EvidenceStore } from './evidence/store.ts'
import { answerError, jsonOnly, knownHostsOnly, securityHeaders } from './http.ts'
import type { ObservationRegistry } from './registry.ts'

/** The observer's HTTP face: the control interface for the runner, and whatever `pages` adds for people. */
export interface ApiOptions {
  readonly registry: ObservationRegistry
  readonly version: string
  /** Names under which this service may be addressed, without a port. */
  readonly allowedHosts: readonly string[]
  readonly pages?: (app: Express) => void
  readonly evidence?: EvidenceStore
  /** Told of errors that are the observer's own fault. */
  readonly onFault: (error: unknown) => void
}

/** Ten thousand tokens and a thousand decoys fit. */
const bodyLimit = '2mb'

export function createApi({ registry, version, allowedHosts, pages, evidence, onFault }: ApiOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  app.use(securityHeaders, knownHostsOnly(allowedHosts))

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok', service: 'observer', version } satisfies Health)
  })
  pages?.(app)
  if (evidence !== undefined) evidenceRoute(app, evidence)

  app.use('/observations', jsonOnly, express.json({ limit: bodyLimit }))
  app.post('/observations', async (request: Request, response: Response) => {
    response
      .status(201)
      .json(await registry.begin(parseAs(ObservationRequest, request.body, 'The observation request')))
  })
  app.post('/observations/:trial/quiet', async (request: Request, response: Response) => {
    const trial = parseAs(TrialId, request.params['trial'], 'The name of the trial')
    const { waitMs } = parseAs(QuietRequest, request.body, 'The request to wait')
    response.json({ quiet: await registry.quiet(trial, waitMs) } satisfies Quiet)
  })
  app.post('/observations/:trial/end', async (request: Request, response: Response) => {
    const trial = parseAs(TrialId, request.params['trial'], 'The name of the trial')
    response.json(await registry.end(trial, parseAs(ObservationEnd, request.body, 'The end of the observation')))
  })
  app.delete('/observations/:trial', (request: Request, response: Response) => {
    registry.abandon(parseAs(TrialId, request.params['trial'], 'The name of the trial'))
    response.status(204).end()
  })

  app.use((request: Request) => {
    throw new LandfallError('unknown', `There is nothing at ${request.method} ${request.path}`, {
      kind: 'path',
      name: request.path,
    })
  })
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    answerError(error, response, next, onFault)
  })
  return app
}
