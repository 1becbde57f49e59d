import { afterAll, beforeAll } from 'vitest'
import { type SkillsServer, startSkillsServer } from './skills-server.ts'

/** A skills server for all tests of one file, to be asked for inside of them. */
export function ownServer(): () => SkillsServer {
  let server: SkillsServer
  beforeAll(async () => {
    server = await startSkillsServer()
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })
  return () => server
}
