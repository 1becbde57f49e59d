import type { DecoyState, Observation } from '@landfall/contracts'
import { ObserverState, TrialView } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { added, manual, sampled } from '../testing/page-scenes.ts'
import { PageState } from './page-state.ts'

const start = () => new PageState({ clock: systemClock, version: '1', mode: 'run', run: 'r' })
const decoyOf = (some: Partial<DecoyState> = {}): DecoyState => {
  const [first] = manual.decoys
  return {
    name: first?.name ?? '',
    path: first?.path ?? '',
    state: 'intact',
    hardLinks: [],
    symlinks: [],
    copies: [],
    ...some,
  }
}
const seen = (changes = [added('/a')], decoys: DecoyState[] = []) => ({ changes, decoys, sightings: [] })
const parts = (state: object) => Object.keys(state).filter((key) => !['boot', 'revision', 'observer'].includes(key))

describe("the page's state", () => {
  it('is whole for a page that comes late, and as the contract says', () => {
    const page = start()
    expect(ObserverState.parse(page.snapshot({ boot: undefined, after: 0 }))).toMatchObject({
      trial: null,
      changes: { rows: [] },
      processes: null,
      past: [],
      observer: { run: 'r', mode: 'run', sinkhole: 'off' },
    })
    page.begin(manual, () => sampled)
    page.see([{ kind: 'landed', text: 'x', path: '/a' }], seen())
    page.blind([{ kind: 'depth', detail: 'deep' }])
    const whole = ObserverState.parse(page.snapshot({ boot: undefined, after: 0 }))
    expect(whole).toMatchObject({
      trial: { state: 'watching', counts: { landed: 1, change: 1 }, blindness: [{ kind: 'depth' }] },
      changes: { rows: [{ path: '/a', kind: 'added' }] },
      processes: { samples: 412 },
    })
  })

  it('afterwards is only what is new, and all of it after a restart', () => {
    const page = start()
    page.begin(manual, () => sampled)
    const { boot, revision } = page.news
    expect(parts(page.snapshot({ boot, after: revision }))).toEqual([])
    page.sampled()
    expect(parts(page.snapshot({ boot, after: revision }))).toEqual(['processes'])
    page.blind([{ kind: 'time', detail: 'late' }])
    expect(parts(page.snapshot({ boot, after: revision }))).toEqual(['trial', 'processes'])
    page.see([], seen())
    expect(parts(page.snapshot({ boot, after: revision }))).toEqual(['trial', 'changes', 'processes'])
    expect(parts(page.snapshot({ boot: 'another', after: page.news.revision }))).toHaveLength(5)
  })

  it('tells a decoy that was restored as changed all the same, and keeps each use once', () => {
    const page = start()
    page.begin(manual)
    page.see([], seen([added('/l')], [decoyOf({ state: 'changed', symlinks: ['/l'] })]))
    page.see([], seen([added('/m')], [decoyOf({ symlinks: ['/l'], copies: ['/m'] })]))
    page.live(
      {
        decoyReads: [{ decoy: 'ssh-key', path: decoyOf().path, by: 'read', count: 3, firstMs: 1 }],
        transientCopies: [],
      },
      [{ kind: 'overflow', detail: 'full' }],
    )
    const { trial } = page.snapshot({ boot: undefined, after: 0 })
    expect(trial?.decoys[0]).toMatchObject({
      state: 'changed',
      uses: [
        { how: 'linked', path: '/l' },
        { how: 'copied', path: '/m' },
        { how: 'read', count: 3 },
      ],
    })
    expect(trial?.losses).toMatchObject([{ kind: 'overflow' }])
  })

  it('tells reads of decoys as they come, and their final count in the end', () => {
    const page = start()
    page.begin({ ...manual, trial: 't', rounds: false })
    const { path } = decoyOf()
    const event = { kind: 'read' as const, path, atMs: 1, found: 'event' as const, times: 2 }
    const uses = () => page.snapshot({ boot: undefined, after: 0 }).trial?.decoys[0]?.uses
    page.happened('t', [event, { ...event, kind: 'created' }, { ...event, path: '/other' }])
    page.happened('t', [event])
    page.happened('another', [event])
    expect(uses()).toEqual([{ how: 'read', count: 4 }])
    page.live({ decoyReads: [{ decoy: 'ssh-key', path, by: 'read', count: 5, firstMs: 1 }], transientCopies: [] }, [])
    expect(uses()).toEqual([{ how: 'read', count: 5 }])
  })

  it('says that decoys of a running trial are known at its end', () => {
    const page = start()
    page.begin({ ...manual, trial: 't', rounds: false })
    expect(page.snapshot({ boot: undefined, after: 0 }).trial?.decoys[0]?.state).toBe('watching')
    page.see([], seen([added('/a')], [decoyOf()]))
    expect(page.snapshot({ boot: undefined, after: 0 }).trial?.decoys[0]?.state).toBe('intact')
  })

  it('keeps trials after their end, the latest of one name first, and drops the oldest', () => {
    const page = start()
    const observation = { processes: sampled } as Observation
    for (let number = 0; number < 60; number += 1) {
      page.begin({ ...manual, trial: `t${number}` })
      page.see([], seen())
      page.end('ended', observation)
    }
    page.begin({ ...manual, trial: 't59' })
    const past = page.snapshot({ boot: undefined, after: 0 }).past ?? []
    expect([past.length, past[0]?.trial, past.at(-1)?.trial]).toEqual([50, 't59', 't10'])
    expect(TrialView.parse(page.find('t42').log.view())).toMatchObject({
      trial: { state: 'ended' },
      changes: { rows: [{ path: '/a' }] },
      processes: { samples: 412 },
    })
    expect(page.find('t59').log.view().trial.state).toBe('watching')
    expect(page.find('t59', past[0]?.since).log.trial).toBe('t59')
    expect(() => page.find('t5')).toThrow('not kept any more')
  })

  it('keeps no more changes in past trials than there is room for', () => {
    const page = start()
    const many = Array.from({ length: 19_000 }, (_, index) => added(`/${index}`))
    for (const trial of ['t1', 't2', 't3', 't4']) {
      page.begin({ ...manual, trial })
      page.see([], seen(many))
      page.end('ended')
    }
    page.begin({ ...manual, trial: 't5' })
    expect(page.snapshot({ boot: undefined, after: 0 }).past?.map(({ trial }) => trial)).toEqual(['t4', 't3'])
  })

  it('counts the findings that it does not list, landings last', () => {
    const page = start()
    page.begin(manual)
    const traces = Array.from({ length: 3_000 }, (_, index) => ({ kind: 'trace' as const, text: `${index}` }))
    page.see([{ kind: 'landed', text: 'x' }, ...traces], seen())
    const { trial } = page.snapshot({ boot: undefined, after: 0 })
    expect(trial?.counts).toMatchObject({ landed: 1, trace: 3_000 })
    expect(trial?.findings).toHaveLength(2_000)
    expect(trial?.findings[0]).toEqual({ kind: 'landed', text: 'x' })
  })
})
