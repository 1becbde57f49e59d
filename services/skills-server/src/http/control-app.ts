import type { TrialEndpoint } from '@landfall/contracts'
import { parseAs, TrialId, trialPath, TrialRegistration } from '@landfall/contracts'
import type { Express } from 'express'
import express from 'express'
import type { TrialStore } from '../trials/trial-store.ts'
import type { BaseParts } from './base-steps.ts'
import { baseSteps } from './base-steps.ts'
import { errorHandler } from './error-handler.ts'
import { controlError } from './errors.ts'

/** The port that only the runner reaches: registers trials and hands out what they were asked. */
export interface ControlAppParts extends BaseParts {
  readonly trials: TrialStore
}

const maxBody = '16kb'

export function controlApp({ trials, ...base }: ControlAppParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(baseSteps(base))
  app.post('/trials', express.json({ limit: maxBody }), async (request, response) => {
    const registration = parseAs(TrialRegistration, request.body as unknown, 'The registration')
    trials.register(registration)
    const { key } = registration
    const answer: TrialEndpoint = { key, path: trialPath(key), archives: await trials.archives(key) }
    response.status(201).json(answer)
  })
  app.get('/trials/:key', async (request, response) => {
    response.json(await trials.record(parseAs(TrialId, request.params.key, 'The key')))
  })
  app.delete('/trials/:key', async (request, response) => {
    response.json(await trials.remove(parseAs(TrialId, request.params.key, 'The key')))
  })
  app.use((_request, response) => {
    response.status(404).json(controlError('unknown', 'No such path'))
  })
  app.use(errorHandler(base.log, ({ body }) => body))
  return app
}
