import { appendFile, mkdtempDisposable, readFile, readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RunStore } from './store.ts'
import { sampleResult } from './testing/samples.ts'

const run = {
  id: '20260101-000000-abcd',
  seed: 7,
  startedAt: '2026-01-01T00:00:00.000Z',
  selection: { users: ['agent' as const] },
}
const folder = () => mkdtempDisposable(join(tmpdir(), 'landfall-store-'))

describe('RunStore', () => {
  it('gives back what was finished when a run is opened again', async () => {
    await using dir = await folder()
    const store = await RunStore.create(dir.path, run)
    await store.addLine(sampleResult)
    const again = await RunStore.open(dir.path, run.id)
    expect(again.run).toEqual(run)
    expect(await again.finished()).toEqual([sampleResult])
  })

  it('drops a line that a crash cut off, so that its trial runs again', async () => {
    await using dir = await folder()
    const store = await RunStore.create(dir.path, run)
    await store.addLine(sampleResult)
    await appendFile(join(store.folder, 'trials.ndjson'), '{"id":"adv-half')
    expect(await store.finished()).toEqual([sampleResult])
    await store.addLine({ ...sampleResult, id: 'other' })
    expect((await store.finished()).map(({ id }) => id)).toEqual([sampleResult.id, 'other'])
  })

  it('points latest at the newest finished run', async () => {
    await using dir = await folder()
    const results = {
      $schema: 'x',
      schemaVersion: '1.0.0' as const,
      run: {
        id: run.id,
        seed: 7,
        startedAt: run.startedAt,
        finishedAt: run.startedAt,
        tool: 't',
        engine: {},
        kernel: 'k',
        images: {},
        hosts: {},
      },
      controls: [],
      trials: [],
    }
    await (await RunStore.create(dir.path, run)).finish(results)
    await (await RunStore.create(dir.path, { ...run, id: '20260101-000001-abcd' })).finish(results)
    expect(await readlink(join(dir.path, 'latest'))).toBe('20260101-000001-abcd')
    const text = await readFile(join(dir.path, 'latest', 'results.json'), 'utf8')
    expect(Object.keys(JSON.parse(text) as object)[1]).toBe('schemaVersion')
  })

  it('says which run it could not find', async () => {
    await using dir = await folder()
    await expect(RunStore.open(dir.path, 'nope')).rejects.toThrow(/no run nope to resume/)
  })
})
