import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts/errors'
import { allRules } from './all-rules.ts'
import { NoAnswer } from '../mcp/answer.ts'
import { type Consent, consents } from './consent.ts'
import { Disk } from './disk.ts'
import type { Until } from './index-revision.ts'
import { type Visited, visit } from './reference.ts'
import { Approvals, approvalsFile } from './approvals.ts'
import { forgetServer } from './rules/cache.ts'
import { findRules } from './rule.ts'

/** `landfall-host reference`: the reference host as a program. Decisions are JSON lines on stderr, the end is one on stdout. */
export interface ReferenceOptions {
  readonly revision: 'index' | 'stable'
  readonly label: string
  readonly consent: Consent
  readonly without?: string
  readonly uri?: string
  readonly until?: Until
  readonly home: string
}

/** `noAnswer`: the server was never reached, or lost in the middle. It is no refusal. */
export const referenceExit = { used: 0, refused: 3, noAnswer: 4 } as const

const runLimitMs = 20_000

/** @throws LandfallError `usage` for a rule that does not exist, a bad address or a label that cannot be a folder. */
export async function referenceVisit(address: string, options: ReferenceOptions): Promise<number> {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LandfallError('usage', `${JSON.stringify(address)} is not the address of an MCP endpoint`)
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(options.label))
    throw new LandfallError('usage', `${JSON.stringify(options.label)} is no label: a-z, 0-9 and hyphens`)
  if (!consents.includes(options.consent)) throw new LandfallError('usage', `consent is one of ${consents.join(', ')}`)
  const names = (options.without ?? '').split(',').filter((name) => name !== '')
  const without = findRules(allRules, names)
  const workspace = `${options.home}/workspace`
  mkdirSync(workspace, { recursive: true })
  let visited: Visited
  try {
    visited = await visit({
      url,
      label: options.label,
      revision: options.revision,
      consent: options.consent,
      without,
      ...(options.uri === undefined ? {} : { uri: options.uri }),
      ...(options.until === undefined ? {} : { until: options.until }),
      disk: new Disk(),
      home: options.home,
      log: (decision) => void process.stderr.write(`${JSON.stringify(decision)}\n`),
      around: {
        run: (command) => {
          spawnSync('sh', ['-c', command], { cwd: workspace, stdio: 'ignore', timeout: runLimitMs })
        },
        elsewhere: async (uri) => {
          // What a host does that takes the authority for an address (H2). Nothing but a sinkhole answers here.
          await fetch(uri.replace(/^[a-z][a-z0-9+.-]*:/, 'http:'), { signal: AbortSignal.timeout(5_000) }).catch(
            () => undefined,
          )
        },
        context: () => undefined,
      },
    })
  } catch (cause) {
    // Anything else is a defect of this program, and ends as one.
    if (!(cause instanceof NoAnswer)) throw cause
    process.stdout.write(`${JSON.stringify({ outcome: 'no-answer', message: cause.message })}\n`)
    return referenceExit.noAnswer
  }
  const { skills, asked } = visited
  const wanted = options.until === 'approval' ? 'approved' : 'used'
  const used = skills.length > 0 && skills.every((skill) => skill.outcome === wanted)
  const outcome = used ? wanted : 'refused'
  process.stdout.write(`${JSON.stringify({ outcome, skills, asked, without: without.map(({ id }) => id) })}\n`)
  return used ? referenceExit.used : referenceExit.refused
}

/** Removes everything that is kept of a server (H32). */
export function referenceForget(label: string, home: string): void {
  const places = { store: `${home}/.local/share/landfall-reference`, discovery: `${home}/.agents/skills` }
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(label)) throw new LandfallError('usage', `${JSON.stringify(label)} is no label`)
  const disk = new Disk()
  forgetServer(disk, places, label)
  new Approvals(disk, approvalsFile(places)).forget(label)
}

/** Every rule with its clauses, one a line. */
export function referenceRules(): string {
  const lines = allRules.map(({ id, clauses, says }) => `${id.padEnd(18)}${clauses.join(', ').padEnd(30)}${says}`)
  return `${lines.join('\n')}\n`
}
