import { randomBytes } from 'node:crypto'
import { deriveCanary, type Revision, trialPath } from '@landfall/contracts'
import type { SkillsServer } from './skills-server.ts'

/** Registers a trial of one fixture with the real server. @returns the address of its endpoint. */
export async function registerTrial(server: SkillsServer, fixture: string, revision: Revision): Promise<URL> {
  const key = `t-${randomBytes(16).toString('hex')}`
  const body = JSON.stringify({ key, fixture, revision, canary: deriveCanary('test', key) })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.controlUrl}/trials`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`the server answered ${answer.status}: ${await answer.text()}`)
  return new URL(trialPath(key), server.url)
}
