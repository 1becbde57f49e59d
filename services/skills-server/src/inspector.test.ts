import { describe, expect, it } from 'vitest'
import { stdioTarget } from './testing/clients.ts'
import { inspect, inspectFixture, inspectorExit } from './testing/inspector.ts'
import { startTestService } from './testing/service.ts'

/** The official Inspector verifies every file of the corpus, and is not fooled about what it can see. */
describe('the Inspector', { timeout: 60_000 }, () => {
  it('verifies the corpus over HTTP', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    const { code, stderr } = await inspect(`${service.mcpUrl}/mcp`)
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no conformance errors') as string,
    })
  })

  it('verifies the corpus over stdio', async () => {
    const { code, stderr } = await inspect(stdioTarget([]))
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no conformance errors') as string,
    })
  })

  it('reads once, so rotation is not seen; an end that never comes is', async () => {
    expect(await inspectFixture('adv-content-rotation')).toBe(inspectorExit.verified)
    expect(await inspectFixture('adv-enumeration-exhaustion')).toBe(inspectorExit.unusable)
  })
})
