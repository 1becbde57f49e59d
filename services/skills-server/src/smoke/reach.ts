import { z } from 'zod'

/** Whether anything answers at an address at all: without that each check would fail, and none would say why. */
const patienceMs = 5_000
const Caused = z.object({ cause: z.object({ code: z.string().optional(), message: z.string() }) })

/** What is in the way of a request to `url`, in a few words; `undefined` when something answers, whatever it is. */
export async function obstacleAt(url: URL): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) })
    // It may be a stream that never ends.
    await response.body?.cancel()
    return undefined
  } catch (error) {
    const cause = Caused.safeParse(error).data?.cause
    if (cause !== undefined) return cause.code ?? cause.message
    return error instanceof Error ? error.message : String(error)
  }
}
