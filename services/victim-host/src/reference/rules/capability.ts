import type { Guard, Rule } from '../rule.ts'

/** When the host may call which method. */

export const declared: Rule = {
  id: 'H1',
  clauses: ['iH3'],
  says: 'Call skills/list, skills/get and resources/directory/read only after the server has declared them.',
}

/** What a server has declared of the extension; undefined when nothing. */
export type Declared = { readonly directoryRead?: boolean } | undefined

const methods = new Set(['skills/list', 'skills/get', 'resources/directory/read'])

export function mayCall(guard: Guard, method: string, capability: Declared): void {
  if (!methods.has(method)) return
  const walks = method === 'resources/directory/read'
  const kept = walks ? capability?.directoryRead === true : capability !== undefined
  guard.hold(declared, kept, `the server has not declared ${method}`, { method })
}
