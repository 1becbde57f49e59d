import type { IncomingMessage } from 'node:http'

/** Keeps nothing from one call to the next. Takes what is not UTF-8 as the replacement character. */
const decoder = new TextDecoder()

export type Body = { readonly text: string } | 'too-large' | 'gone'

/**
 * The whole body of a request as text. `too-large` beyond `limit` bytes, of which no more are kept than that;
 * `gone` when the client went away before its end. Never rejects.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<Body> {
  if (Number(incoming.headers['content-length']) > limit) return discard(incoming)
  const { promise, resolve } = Promise.withResolvers<Body>()
  const chunks: Buffer[] = []
  let received = 0
  const take = (chunk: Buffer) => {
    received += chunk.length
    if (received <= limit) {
      chunks.push(chunk)
      return
    }
    incoming.off('data', take)
    resolve(discard(incoming))
  }
  incoming
    .on('data', take)
    .once('end', () => resolve({ text: textOf(chunks) }))
    .once('close', () => resolve('gone'))
    .once('error', () => resolve('gone'))
  return await promise
}

/** What still comes is read and dropped: a client that is cut off while it sends never sees its answer. */
function discard(incoming: IncomingMessage): 'too-large' {
  incoming.resume()
  return 'too-large'
}

function textOf([first, ...others]: readonly Buffer[]): string {
  if (first === undefined) return ''
  return decoder.decode(others.length === 0 ? first : Buffer.concat([first, ...others]))
}
