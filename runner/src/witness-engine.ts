import { type Change, toWirePath } from '@landfall/contracts'
import { z } from 'zod'

/**
 * Witness W2: the engine's own `changes` of a victim, held against W1. The engine compares with the image, so
 * what the victim already differed in before the trial is taken from a first call. Pure.
 */
const EngineChange = z.object({
  Path: z.string(),
  /** 0 changed, 1 added, 2 removed: the engine's own numbers. */
  Kind: z.literal([0, 1, 2]),
})
export type EngineChange = z.infer<typeof EngineChange>

/** The engine answers null when nothing differs. */
export const EngineChanges = z.array(EngineChange).nullable()

export interface Disagreement {
  readonly path: string
  readonly w1: Change['kind'] | 'nothing'
  readonly w2: Change['kind'] | 'nothing'
}

const kinds = ['changed', 'added', 'removed'] as const

/** The engine cannot see mounts: tmpfs, volumes, and the files it binds over a victim's own. It never lists the root. */
const unseen = /^\/$|^\/(?:dev|proc|sys)(?:\/|$)|^\/etc\/(?:hosts|hostname|resolv\.conf)$/

/**
 * Both lists must name the same paths. What counts as the same:
 * - a file that differed from the image before the trial stays listed by the engine whatever happens to it;
 * - a directory whose children changed is listed by the engine as changed, by W1 with its times only; when the
 *   children are as they were before, the engine does not list it.
 */
export function compareWitnesses(
  w1: readonly Change[],
  before: readonly EngineChange[],
  after: readonly EngineChange[],
): Disagreement[] {
  const first = new Map(before.map(({ Path, Kind }) => [wire(Path), kinds[Kind]]))
  const second = new Map(after.map(({ Path, Kind }) => [wire(Path), kinds[Kind]]))
  const seen = new Map(w1.map((change) => [change.path, change]))
  const disagreements: Disagreement[] = []

  for (const [path, change] of seen) {
    const { kind } = change
    if (unseen.test(path)) continue
    const engine = second.get(path) ?? 'nothing'
    if (engine === 'nothing' && isTraceInDirectory(change)) continue
    if (!isExplained(kind, first.get(path) ?? 'nothing', engine)) disagreements.push({ path, w1: kind, w2: engine })
  }
  for (const [path, kind] of second) {
    if (unseen.test(path) || seen.has(path) || first.get(path) === kind) continue
    disagreements.push({ path, w1: 'nothing', w2: kind })
  }
  for (const [path, kind] of first) {
    // A file of the victim's own that is listed no more was removed, or is the image's again.
    if (!second.has(path) && !seen.has(path) && !unseen.test(path))
      disagreements.push({ path, w1: 'nothing', w2: kind === 'added' ? 'removed' : 'changed' })
  }
  return disagreements
}

/** How many paths {@link compareWitnesses} holds against each other: those that either witness names and both can see. */
export function countCompared(w1: readonly Change[], ...engine: readonly (readonly EngineChange[])[]): number {
  const paths = [...w1.map(({ path }) => path), ...engine.flat().map(({ Path }) => wire(Path))]
  return new Set(paths.filter((path) => !unseen.test(path))).size
}

const traceFields = new Set(['mtimeNs', 'ctimeNs', 'size', 'links'])

/** Something came and went in a directory: the engine compares no times of directories, and nothing else is left of it. */
function isTraceInDirectory({ kind, before, after, fields }: Change): boolean {
  const isDirectory = before?.type === 'directory' && after?.type === 'directory'
  return kind === 'changed' && isDirectory && fields?.every((field) => traceFields.has(field)) === true
}

function isExplained(w1: Change['kind'], before: Disagreement['w2'], after: Disagreement['w2']): boolean {
  switch (w1) {
    case 'added':
      // A path of the image that was gone before and is back differs from the image, or does not.
      return after === 'added' || (before === 'removed' && after !== 'removed')
    case 'changed':
      return after === 'changed' || (before === 'added' && after === 'added')
    case 'removed':
      return after === 'removed' || (before === 'added' && after === 'nothing')
  }
}

/** The engine writes a path as text; bytes that are not UTF-8 are lost in it, which W1's own form shows. */
const wire = (path: string) => toWirePath(Buffer.from(path, 'utf8'))
