import type { Refusal } from '../core/index.ts'
import { refusalOf } from '../core/index.ts'

/** The word with which `work` is refused; anything else that it does is thrown. */
export async function refused(work: () => unknown): Promise<Refusal> {
  let result: unknown
  try {
    result = await work()
  } catch (error) {
    const word = refusalOf(error)
    if (word !== undefined) return word
    throw error
  }
  throw new Error(`Not refused, but answered: ${JSON.stringify(result)}`)
}
