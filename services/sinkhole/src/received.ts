import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Limits } from './limits.ts'
import type { FoundToken } from './tokens.ts'
import { TokenScanner } from './tokens.ts'

/** A body that has been read: never all of it is held, unless `whole` asks for that many bytes. */
export interface ReceivedBody {
  readonly bytes: number
  /** Lower-case hex, of what came. */
  readonly sha256: string
  readonly beginning: Buffer
  readonly tokens: readonly FoundToken[]
  readonly cut: 'no' | 'too-large' | 'left'
}

/** Never throws: a client that leaves is part of what is received. */
export async function receive(
  request: IncomingMessage,
  { bodyRead, bodyKept }: Pick<Limits, 'bodyRead' | 'bodyKept'>,
): Promise<ReceivedBody> {
  const hash = createHash('sha256')
  const scanner = new TokenScanner()
  const beginning: Buffer[] = []
  let kept = 0
  let bytes = 0
  let cut: ReceivedBody['cut'] = 'no'
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length
      hash.update(piece)
      scanner.add(piece)
      if (kept < bodyKept) {
        // A copy: a slice would hold the whole piece.
        const part = Buffer.from(piece.subarray(0, bodyKept - kept))
        beginning.push(part)
        kept += part.length
      }
      if (bytes > bodyRead) {
        cut = 'too-large'
        break
      }
    }
  } catch {
    cut = 'left'
  }
  return { bytes, sha256: hash.digest('hex'), beginning: Buffer.concat(beginning), tokens: scanner.found, cut }
}
