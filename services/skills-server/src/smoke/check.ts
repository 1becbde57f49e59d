import { z } from 'zod'
import type { Finding, Report } from './report.ts'
import type { Session } from './session.ts'
import { refusal } from './session.ts'

/** A check, and what checks have in common. A check may leave in `state` what the ones after it need. */
export interface Check<State> {
  readonly what: string
  readonly look: (session: Session, state: State) => Promise<Finding>
}

/** Runs `checks` in order. A failed one does not keep the others from being run. */
export async function runChecks<State>(
  session: Session,
  report: Report,
  { name, checks, state }: { readonly name: string; readonly checks: readonly Check<State>[]; readonly state: State },
): Promise<void> {
  for (const { what, look } of checks) {
    await report.check(`${session.era} ${name}`, what, () => look(session, state))
  }
}

export function finding(detail: string, problems: readonly string[]): Finding {
  return { detail, problems }
}

/** Looks at each item, one after the other. An item that throws is a problem, and so are no items at all. */
export async function each<T>(
  noun: string,
  items: readonly T[],
  look: (item: T) => readonly string[] | Promise<readonly string[]>,
): Promise<Finding> {
  if (items.length === 0) return finding('', [`no ${noun} to look at`])
  const problems: string[] = []
  for (const item of items) {
    try {
      problems.push(...(await look(item)))
    } catch (error) {
      problems.push(`${error instanceof Error ? error.message : String(error)}: ${nameOf(item)}`)
    }
  }
  return finding(`${items.length} ${noun}`, problems)
}

/** What is there more than once. */
export function repeated(uris: readonly string[]): string[] {
  return [...new Set(uris.filter((uri, at) => uris.indexOf(uri) !== at))].map((uri) => `more than once: ${uri}`)
}

const invalidParams = -32602

/** S24, S26, S28: each method refuses `uri` with -32602. */
export async function refusals(session: Session, methods: readonly string[], uri: string): Promise<Finding> {
  const { problems } = await each('methods', methods, async (method) => {
    const code = await refusal(session, method, uri)
    return code === invalidParams ? [] : [`${method} answers ${code ?? 'a result'}, not ${invalidParams}`]
  })
  return finding(`${invalidParams} from ${methods.join(', ')}`, problems)
}

function nameOf(item: unknown): string {
  const { uri, url } = Named.safeParse(item).data ?? {}
  return uri ?? url ?? 'an item'
}

const Named = z.object({ uri: z.string().optional(), url: z.string().optional() })
