import type { LiveEvent, PageEvent } from '@landfall/contracts'

/** Puts live events into sentences for people, as they come. Pure. */

type Told = Omit<PageEvent, 'id' | 'time'>

const deeds = {
  created: 'appeared',
  linked: 'appeared as a further name',
  written: 'was written',
  renamed: 'is the new name of something',
  deleted: 'was deleted',
  mode: 'was given another mode, owner, time or attribute',
  opened: 'was opened',
  read: 'was read',
} as const

/** The old path of a rename is told on its own, since a hostile name may look like the rest of a sentence. */
export function sentencesOf(trial: string, events: readonly LiveEvent[], dropped: number): Told[] {
  const told = events.flatMap(({ kind, path, from, type, times, found }): Told[] => {
    const what = type === undefined ? 'something' : type
    const often = times > 1 ? ` ${times} times` : ''
    const how = found === 'scan' ? ', found by looking' : ''
    const line: Told = { trial, kind: 'live', text: `${what} ${deeds[kind]}${often}${how}`, path }
    return from === undefined ? [line] : [{ trial, kind: 'live', text: `${what} was renamed`, path: from }, line]
  })
  return dropped === 0 ? told : [...told, { trial, kind: 'live', text: `and ${dropped} more events` }]
}
