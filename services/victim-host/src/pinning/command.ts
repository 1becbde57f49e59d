import { mkdirSync } from 'node:fs'
import { LandfallError } from '@landfall/contracts/errors'
import { victimLayout } from '@landfall/contracts/layout'
import { preparedHosts } from '../profiles.ts'
import { NoAnswer } from '../mcp/answer.ts'
import { Guard } from '../reference/rule.ts'
import { Session } from '../reference/session.ts'
import { openPinned, type PinnedSkill, type PinningHost, review } from './pinning.ts'
import { Places } from './places.ts'

/** `landfall-host pinning`: the host that pins bundles as a program. What became of each skill is one JSON line on stdout. */
export interface PinningOptions {
  readonly revision: 'index' | 'stable'
}

/** `noAnswer`: the server was never reached, or lost in the middle. It is no refusal. */
export const pinningExit = { opened: 0, refused: 3, noAnswer: 4 } as const

/** An archive or a file of many MiB takes its time on a busy machine. The profile limits the whole. */
const answerLimitMs = 60_000

/** @throws LandfallError `usage` outside of a victim, where no server may write where it likes, or for a bad address. */
export async function pinningVisit(address: string, { revision }: PinningOptions): Promise<number> {
  if (preparedHosts() === undefined)
    throw new LandfallError('usage', 'skills are opened in a victim only, and this is none')
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LandfallError('usage', `${JSON.stringify(address)} is not the address of an MCP endpoint`)
  const user = process.getuid?.() === 0 ? 'root' : 'agent'
  const layout = victimLayout(user)
  mkdirSync(layout.workspace, { recursive: true })
  return await visitTwice(
    {
      connect: async () => await Session.connect('lab', url, new Guard([], () => undefined), answerLimitMs),
      revision,
      places: new Places(layout.home),
    },
    (line) => void process.stdout.write(`${JSON.stringify(line)}\n`),
  )
}

/**
 * Pins what the first visit brings and opens what the second does.
 *
 * @param print gets the one line: `outcome`, and `skills` as each was left.
 * @returns one of {@link pinningExit}.
 */
export async function visitTwice(host: PinningHost, print: (line: object) => void): Promise<number> {
  let skills: readonly PinnedSkill[]
  try {
    const unpinned = (await review(host)).filter(({ outcome }) => outcome === 'refused')
    skills = [...unpinned, ...(await openPinned(host, new Set(unpinned.map(({ uri }) => uri))))]
  } catch (cause) {
    // Anything else is a defect of this program, and ends as one.
    if (!(cause instanceof NoAnswer)) throw cause
    print({ outcome: 'no-answer', message: cause.message })
    return pinningExit.noAnswer
  }
  const opened = skills.length > 0 && skills.every(({ outcome }) => outcome === 'opened')
  print({ outcome: opened ? 'opened' : 'refused', skills })
  return opened ? pinningExit.opened : pinningExit.refused
}
