import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Ask } from './load.ts'
import { requestsPerSecond, warmUp } from './load.ts'
import type { Measured, Round } from './report.ts'
import { reportLines } from './report.ts'
import { legacyAsk, modernAsk } from './requests.ts'
import type { BenchServer } from './servers.ts'
import { startMinimal, startOurs } from './servers.ts'

/**
 * Measures the server side by side with a minimal one on the same SDK: the same requests, the same answers, in
 * turns of less than a second. Then how much memory it holds when it has built its whole catalogue and is idle.
 */
/** Many and short: what disturbs the machine is then rarely in one half of a round alone. */
const rounds = 40
const roundMs = 150
const warmUpRequests = 2_500
const restMs = 2_000
const uri = 'skill://control-benign/SKILL.md'
const asks = [
  ['resources/read', { uri }],
  ['skills/list', {}],
] as const
const eras = [
  ['modern', modernAsk],
  ['legacy', legacyAsk],
] as const

const Answer = z.object({ result: z.looseObject({}) })

export async function main(write: (line: string) => void): Promise<number> {
  // From the second start on a server finds itself compiled. That is how it runs in its containers, always.
  await (await startOurs())[Symbol.asyncDispose]()
  await using ours = await startOurs()
  const { contents } = await resultOf(ours, 'resources/read', { uri })
  const { skills } = await resultOf(ours, 'skills/list', {})
  await resultOf(ours, 'resources/list', {})
  await delay(restMs)
  const residentMiB = await ours.residentMiB()
  await using minimal = await startMinimal({ uri, contents, skills })
  const measured: Measured[] = []
  for (const [method, params] of asks) {
    for (const [era, ask] of eras) {
      measured.push({ method, era, rounds: await compare(ours, minimal, ask(method, params)) })
    }
  }
  for (const line of reportLines(measured, residentMiB)) write(line)
  return 0
}

/** Rounds in which now the one and now the other goes first, after a warm-up that does not count. */
async function compare(ours: BenchServer, minimal: BenchServer, ask: Ask): Promise<Round[]> {
  const measured: Round[] = []
  for (const { url } of [ours, minimal]) await warmUp(url, ask, warmUpRequests)
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? ours : minimal
    const second = first === ours ? minimal : ours
    const a = await requestsPerSecond(first.url, ask, roundMs)
    const b = await requestsPerSecond(second.url, ask, roundMs)
    measured.push(first === ours ? { ours: a, minimal: b } : { ours: b, minimal: a })
  }
  return measured
}

async function resultOf({ url }: BenchServer, method: string, params: Record<string, unknown>) {
  const response = await fetch(url, { method: 'POST', ...modernAsk(method, params) })
  return Answer.parse(await response.json()).result
}
