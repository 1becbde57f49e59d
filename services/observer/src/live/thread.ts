import type { MessagePort } from 'node:worker_threads'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { read, waitReadable } from './kernel.ts'
import type { Answer, Command, ThreadData } from './protocol.ts'
import { Watcher } from './watcher.ts'

/**
 * The watching thread: waits for events and for commands, and does nothing else. It never returns to the event loop,
 * which keeps everything that Node may do meanwhile out of its way; commands are fetched when the bell has rung.
 */

/** The heartbeat's pace with nothing to see, with and without a trial. */
const watchingMs = 100
const idleMs = 1_000
/** The page is told at most this often. */
const tellMs = 200

interface Watching {
  readonly id: number
  readonly watcher: Watcher
  toldMs: number
}

const bytes = Buffer.alloc(8)

function run(port: MessagePort, { bell, heartbeat }: ThreadData): never {
  const beats = new BigInt64Array(heartbeat)
  const answer = (message: Answer): void => port.postMessage(message)
  let current: Watching | undefined

  const obey = (command: Command): void => {
    if (command.type === 'begin') {
      current?.watcher[Symbol.dispose]()
      const { beganNs, id } = command
      const watcher = new Watcher({ ...command, elapsedMs: () => Number(process.hrtime.bigint() - beganNs) / 1e6 })
      current = { id, watcher, toldMs: 0 }
      watcher.start()
      return answer({ type: 'done', id, what: 'begin' })
    }
    const watching = current
    if (watching === undefined || watching.id !== command.id) return
    const { id, watcher } = watching
    if (command.type === 'arm') watcher.arm(command.decoys)
    if (command.type === 'arm') return answer({ type: 'done', id, what: 'arm' })
    if (command.type === 'own') {
      watcher.own(command.reading, command.readDecoys)
      return answer({ type: 'owned', id, soFar: watcher.soFar() })
    }
    if (command.type === 'stop') {
      answer({ type: 'result', id, result: watcher.finish() })
    }
    current = undefined
    watcher[Symbol.dispose]()
  }

  const guarded = (work: () => void): void => {
    const id = current?.id
    try {
      work()
    } catch (error) {
      if (id !== undefined) answer({ type: 'failed', id, detail: String(error) })
      current?.watcher[Symbol.dispose]()
      current = undefined
    }
  }

  const tell = (watching: Watching): void => {
    const now = performance.now()
    if (now - watching.toldMs < tellMs) return
    const { events, dropped } = watching.watcher.recorder.take()
    if (events.length > 0 || dropped > 0) answer({ type: 'events', id: watching.id, events, dropped })
    watching.toldMs = now
  }

  for (;;) {
    Atomics.store(beats, 0, process.hrtime.bigint())
    for (let note = receiveMessageOnPort(port); note !== undefined; note = receiveMessageOnPort(port)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by the other half of this file's protocol
      const command = note.message as Command
      guarded(() => obey(command))
    }
    const watching = current
    if (watching === undefined) {
      waitReadable([bell], idleMs)
    } else {
      waitReadable([bell, watching.watcher.descriptor], watchingMs)
      guarded(() => {
        watching.watcher.pump()
        tell(watching)
      })
    }
    read(bell, bytes, bytes.length)
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handed over by live-watch.ts
if (parentPort !== null) run(parentPort, workerData as ThreadData)
