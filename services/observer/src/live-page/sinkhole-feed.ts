import { setTimeout as sleep } from 'node:timers/promises'
import { SinkholeEvent } from '@landfall/contracts'
import { EventSourceParserStream } from 'eventsource-parser/stream'

/**
 * Listens to what a sinkhole tells, for the page alone: verdicts have their record from the sinkhole itself. What it
 * sends repeats what victims sent, so each event is parsed as its contract says, and one that does not is left out.
 */

export interface SinkholeFeedOptions {
  readonly url: string
  readonly onEvent: (event: SinkholeEvent) => void
  readonly onState: (state: 'connected' | 'lost') => void
  readonly signal?: AbortSignal
  readonly retryMs?: number
}

/** Characters of one event. Far above what the contract allows. */
const mostCharacters = 64 * 1024
/** Silence after which it is taken for lost; it sends a sign of life every 15 seconds. */
const silenceMs = 40_000

/** Never ends unless `signal` aborts: it asks again, and takes no event twice. */
export async function followSinkhole(options: SinkholeFeedOptions): Promise<void> {
  const { signal, onState, retryMs = 2_000 } = options
  const isStopped = (): boolean => signal?.aborted ?? false
  for (let last = 0; !isStopped();) {
    try {
      last = await listenOnce(options, last)
    } catch {
      // It is not there yet, or not any more.
    }
    if (isStopped()) return
    onState('lost')
    await sleep(retryMs, undefined, signal === undefined ? {} : { signal }).catch(() => undefined)
  }
}

async function listenOnce({ url, onEvent, onState, signal }: SinkholeFeedOptions, last: number): Promise<number> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), silenceMs).unref()
  const signals = [silence.signal, ...(signal === undefined ? [] : [signal])]
  let newest = last
  try {
    const answer = await fetch(url, { headers: { 'last-event-id': String(last) }, signal: AbortSignal.any(signals) })
    if (!answer.ok || answer.body === null) return newest
    onState('connected')
    const heard = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        timer.refresh()
        controller.enqueue(chunk)
      },
    })
    const parser = new EventSourceParserStream({ maxBufferSize: mostCharacters, onError: 'terminate' })
    const messages = answer.body.pipeThrough(heard).pipeThrough(new TextDecoderStream()).pipeThrough(parser)
    // An event with a lower number is one of a sinkhole that was started anew; it gives only what we do not know.
    for await (const { data } of messages) {
      const event = parseEvent(data)
      if (event === undefined) continue
      newest = event.id
      onEvent(event)
    }
  } catch {
    // Cut off; what was heard so far counts.
  } finally {
    clearTimeout(timer)
  }
  return newest
}

function parseEvent(data: string): SinkholeEvent | undefined {
  try {
    return SinkholeEvent.safeParse(JSON.parse(data)).data
  } catch {
    return undefined
  }
}
