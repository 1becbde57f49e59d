import { limits } from './limits.ts'
import type { Listing, Survey } from './survey.ts'
import { contentsIn } from './survey.ts'
import { isBelow } from './uris.ts'

/** Evidence that rules of both revisions need. */

/** Every error code that was answered to a read or a walk. */
export function codesOf({ reads, directories, resources }: Survey): number[] {
  const answers = [...resources.answers, ...[...directories.values()].flatMap((listing) => listing.answers)]
  return [...answers, ...[...reads.values()].flat()].flatMap((answer) => ('error' in answer ? [answer.error] : []))
}

/** T6: listings without an end, files and skills that are too large to take. */
export function excesses(
  survey: Survey,
  listings: Readonly<Record<string, Listing>>,
  roots: readonly string[],
): string[] {
  const endless = Object.entries(listings).filter(
    ([, { ends, answers }]) => !ends && answers.every((one) => 'result' in one),
  )
  const large = [...survey.reads.keys()].filter((uri) => sizeOf(survey, uri) > limits.bytesPerFile)
  const walks = roots.filter((root) => {
    const below = [...survey.reads.keys()].filter((uri) => isBelow(uri, root))
    return below.reduce((sum, uri) => sum + sizeOf(survey, uri), 0) > limits.bytesPerWalk
  })
  return [
    ...endless.map(([name]) => `no end: ${name}`),
    ...large.map((uri) => `too large: ${uri}`),
    ...walks.map((root) => `too much: ${root}`),
  ]
}

function sizeOf(survey: Survey, uri: string): number {
  return Math.max(0, ...contentsIn(survey, uri).map(({ size }) => size))
}

/** Children of a directory that are not directly below it, and directories that do not say so (S27, iS16). */
export function strayChildren(survey: Survey): string[] {
  return [...survey.directories].flatMap(([directory, { items }]) =>
    items.map(({ uri }) => String(uri)).filter((uri) => !isDirectChild(uri, directory)),
  )
}

/** Those that lead out of the directory, which is what makes them dangerous (H26). */
export function escapingChildren(survey: Survey): string[] {
  return [...survey.directories].flatMap(([directory, { items }]) =>
    items.map(({ uri }) => String(uri)).filter((uri) => !isBelow(uri, directory)),
  )
}

function isDirectChild(uri: string, directory: string): boolean {
  return isBelow(uri, directory) && !uri.slice(directory.length + 1).includes('/')
}
