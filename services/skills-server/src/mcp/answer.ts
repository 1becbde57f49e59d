import type { Era } from '@landfall/contracts'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Page, Pager } from '../catalogue/served.ts'
import { honestPager, InvalidCursor } from '../catalogue/paging.ts'

/** What all methods have in common: errors that say nothing of this machine, caching fields, pages. */
export interface Answers {
  /** Runs one method. A failure that is no protocol error is told to `onFailure` alone (S30). */
  readonly guarded: <T>(method: string, answer: () => Promise<T>) => Promise<T>
  /** Fields that the extension's own results need in the modern era (S21, S25); the SDK adds those of core methods. */
  readonly caching: { readonly ttlMs?: number; readonly cacheScope?: 'public' | 'private' }
  /** One page of a list. A lying fixture may bring its own pager. */
  readonly page: <Item>(
    list: string,
    cursor: string | undefined,
    items: readonly Item[],
    lie?: Pager<Item>,
  ) => { readonly items: Item[]; readonly next: Pick<Page, 'nextCursor'> }
}

/** Nothing may be cached: what a fixture serves may change from one read to the next. */
export const cacheHint = { ttlMs: 0, cacheScope: 'private' as const }

export function answersFor(era: Era, onFailure: (method: string, error: unknown) => void): Answers {
  return {
    guarded: async (method, answer) => {
      try {
        return await answer()
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        if (error instanceof InvalidCursor) throw invalidParams('Invalid cursor')
        onFailure(method, error)
        // The cause stays in the log: its text may name files of this machine.
        throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
      }
    },
    caching: era === 'modern' ? cacheHint : {},
    page: (list, cursor, honest, lie) => {
      const { items, nextCursor } = (lie ?? honestPager(list))(cursor, honest)
      return { items: [...items], next: nextCursor === undefined ? {} : { nextCursor } }
    },
  }
}

export function invalidParams(message: string, data?: Readonly<Record<string, unknown>>): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)
}
