import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { RequestScope } from '../request-scope.ts'
import { currentRequest } from '../request-scope.ts'

/**
 * Keeps readers that are slow, or many, from filling the memory: an answer of many mebibytes exists several
 * times over until it has left, so only a few of them exist at once, each until its exchange is closed.
 */
const largeBytes = 1024 * 1024
const maxAtOnce = 4
const maxWaiting = 256
/** Whoever has not taken an answer by then never meant to. */
const deadlineMs = 120_000

export class Turns {
  readonly #limit: number
  readonly #waiting: (() => void)[] = []
  #taken = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Resolves when it is this one's turn, with what ends the turn. @throws ProtocolError when too many wait already. */
  async take(): Promise<() => void> {
    if (this.#taken < this.#limit) {
      this.#taken += 1
    } else {
      if (this.#waiting.length >= maxWaiting) throw busy()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }
}

/** One for the whole process, because what it guards is the memory of the process. */
const turns = new Turns(maxAtOnce)

/** Waits until an answer with `bytes` of content may be made. Only over HTTP: a client over stdio has us for itself. */
export async function turnForBytes(bytes: number): Promise<void> {
  const request = currentRequest()
  if (bytes < largeBytes || request === undefined) return
  endWith(request, await turns.take())
}

function endWith({ closed, cut }: RequestScope, end: () => void): void {
  const deadline = setTimeout(cut, deadlineMs).unref()
  void closed.then(() => clearTimeout(deadline)).then(end)
}

function busy(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, 'Too many large answers are waiting')
}
