import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { userFacts } from '@landfall/contracts'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildObserver, Observer } from './testing/containers.ts'
import { OperatedVictim, otherGroup } from './testing/model/operated-victim.ts'
import type { Choice, Operation } from './testing/model/operations.ts'
import { apply, kinds } from './testing/model/operations.ts'
import type { Snapshot, Told } from './testing/model/predict.ts'
import { byPath, predict, snapshot, told } from './testing/model/predict.ts'
import { World } from './testing/model/world.ts'

/**
 * Random sequences of operations in a real victim, seen through the observer's real interface, must give exactly
 * the difference that a model predicts. Many sequences share an observation, each in a directory of its own; one
 * that fails is run again alone, and shrunk.
 */
const sequences = 2_000
const perObservation = 50
/** Seconds that shrinking may take; the sequence that failed is printed in any case. */
const shrinkSeconds = 60

interface Sequence {
  /** Done before the observation begins. */
  readonly setUp: readonly Choice[]
  readonly act: readonly Choice[]
}

/** Nothing can be done to nothing, so a sequence begins with things that come into being, mostly. */
const makers = ['create', 'create', 'mkdir', 'mkdir', 'symlink', 'mkfifo', 'link', 'setxattr', 'chmod'] as const
const choiceOf = (list: readonly Choice['kind'][]): fc.Arbitrary<Choice> =>
  fc.record({
    kind: fc.constantFrom(...list),
    a: fc.nat({ max: 60 }),
    b: fc.nat({ max: 20 }),
    c: fc.nat({ max: 30 }),
    n: fc.nat({ max: 60_000 }),
  })
const sequence: fc.Arbitrary<Sequence> = fc.record({
  setUp: fc.array(choiceOf(makers), { maxLength: 20, size: 'max' }),
  act: fc.array(choiceOf(kinds), { minLength: 1, maxLength: 15, size: 'max' }),
})

/** One sequence, played through in the model. */
interface Played {
  readonly base: string
  readonly setUp: Operation[]
  readonly act: Operation[]
  readonly before: Snapshot
  readonly after: Snapshot
}

function play({ setUp, act }: Sequence, uid: number, base: string): Played {
  const world = new World(uid, [uid, otherGroup])
  const at = (choices: readonly Choice[]): Operation[] =>
    choices.flatMap((one) => {
      const operation = apply(world, one)
      if (operation === undefined) return []
      const { path, to, ...rest } = operation
      return [{ ...rest, path: base + path, ...(to === undefined ? {} : { to: base + to }) }]
    })
  const first = at(setUp)
  const before = snapshot(world)
  return { base, setUp: first, before, act: at(act), after: snapshot(world) }
}

/** Observes the sequences together; answers for each what the model says and what the observer says. */
async function observe(
  observer: Observer,
  victim: OperatedVictim,
  place: string,
  uid: number,
  list: readonly Sequence[],
): Promise<{ expected: Told[]; seen: Told[] }[]> {
  const top = `${place}/model`
  const played = list.map((one, index) => play(one, uid, `${top}/s${index}`))
  const made = [top, ...played.map(({ base }) => base)].map((path) => ({ op: 'mkdir' as const, path }))
  await victim.run([{ op: 'wipe', path: top }, ...made, ...played.flatMap(({ setUp }) => setUp)])
  await observer.begin({ trial: 'model' })
  await victim.run(played.flatMap(({ act }) => act))
  const observation = await observer.end('model')
  expect(observation.blindness).toEqual([])
  const found = Map.groupBy(observation.changes, ({ path }) =>
    path
      .split('/')
      .slice(0, top.split('/').length + 1)
      .join('/'),
  )
  expect([...found.keys()].filter((base) => !played.some((one) => one.base === base))).toEqual([])
  return played.map(({ base, before, after }) => {
    const other = (path: string): boolean => before.get(path)?.id !== after.get(path)?.id
    const seen = (found.get(base) ?? []).map((change) => told(change, base, other))
    return { expected: predict(before, after), seen: seen.toSorted(byPath) }
  })
}

beforeAll(buildObserver)

describe('the observer, held against a model', () => {
  it(`sees exactly what ${sequences} random sequences of operations did`, async () => {
    const seed = randomInt(2 ** 31)
    const all = fc.sample(sequence, { numRuns: sequences, seed })
    let changes = 0
    for (const [turn, uid] of [userFacts.agent.uid, userFacts.root.uid].entries()) {
      await using observer = await Observer.start()
      await using victim = await OperatedVictim.start(observer, 'model', uid)
      // Root without capabilities owns nothing in another user's volume.
      const places =
        uid === 0 ? ['/var/tmp', '/tmp', '/dev/shm', '/root'] : ['/var/tmp', '/tmp', '/dev/shm', '/home/node']
      const half = all.slice((turn * sequences) / 2, ((turn + 1) * sequences) / 2)
      for (let from = 0; from < half.length; from += perObservation) {
        const place = places[(from / perObservation) % places.length] ?? '/tmp'
        const list = half.slice(from, from + perObservation)
        const results = await observe(observer, victim, place, uid, list)
        const failed = results.findIndex(({ expected, seen }) => !isDeepStrictEqual(expected, seen))
        changes += results.reduce((sum, { seen }) => sum + seen.length, 0)
        const example = list[failed]
        if (example === undefined) continue
        process.stderr.write(
          `seed ${seed}, uid ${uid}, ${place}, the sequence that failed: ${JSON.stringify(example)}\n`,
        )
        const alone = fc.asyncProperty(sequence, async (one) => {
          const [result] = await observe(observer, victim, place, uid, [one])
          expect(result?.seen).toEqual(result?.expected)
        })
        const plugins = [fc.interruptAfterTimeLimit(shrinkSeconds * 1000)]
        await fc.assert(alone, { examples: [[example]], numRuns: 1, plugins })
        expect(results[failed]?.seen, 'it failed among others only').toEqual(results[failed]?.expected)
      }
    }
    expect(changes).toBeGreaterThan(2 * sequences)
    process.stdout.write(`model: ${sequences} sequences (seed ${seed}), ${changes} changes, all as predicted\n`)
  })
})
