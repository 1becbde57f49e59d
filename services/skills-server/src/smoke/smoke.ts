import type { Revision } from '@landfall/contracts'
import { z } from 'zod'
import { runChecks } from './check.ts'
import { indexChecks } from './index-checks.ts'
import type { Report } from './report.ts'
import type { OpenSession, Session } from './session.ts'
import { stableChecks } from './stable-checks.ts'

/** Everything that an honest server of skills must do, over one way of reaching it, in both eras. */
const eras = ['modern', 'legacy'] as const

const Capabilities = z.looseObject({
  resources: z.looseObject({}),
  extensions: z.looseObject({ 'io.modelcontextprotocol/skills': z.looseObject({ directoryRead: z.literal(true) }) }),
})

export async function smoke(open: OpenSession, revisions: readonly Revision[], report: Report): Promise<void> {
  for (const era of eras) {
    let session: Session | undefined
    await report.check(era, 'connect', async () => {
      session = await open(era)
      const declared = Capabilities.safeParse(session.capabilities()).success
      return { detail: 'extension and resources declared', problems: declared ? [] : ['the extension is not declared'] }
    })
    if (session === undefined) continue
    await using connected = session
    if (revisions.includes('index')) {
      await runChecks(connected, report, {
        name: 'index',
        checks: indexChecks,
        state: { entries: [], content: new Map() },
      })
    }
    if (revisions.includes('stable')) {
      await runChecks(connected, report, {
        name: 'stable',
        checks: stableChecks,
        state: { entries: [], content: new Map() },
      })
    }
  }
}
