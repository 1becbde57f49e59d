import { describe, expect, it, vi } from 'vitest'
import { unpack } from '../testing/unpack.ts'
import { honestTarGz, honestZip } from './honest.ts'

const files = [
  { path: 'scripts/run.sh', mode: 0o755, bytes: Buffer.from('#!/bin/sh\n') },
  { path: 'SKILL.md', mode: 0o644, bytes: Buffer.from('text') },
  { path: 'empty.txt', mode: 0o644, bytes: Buffer.alloc(0) },
]

describe.each([
  ['tar.gz', honestTarGz],
  ['zip', honestZip],
] as const)('an honest %s', (format, make) => {
  it('holds the files with their modes, sorted by path', async () => {
    const entries = await unpack({ format, bytes: await make(files) })
    expect(entries.map(({ name, mode, content }) => [name, mode, content.toString()])).toEqual([
      ['SKILL.md', 0o644, 'text'],
      ['empty.txt', 0o644, ''],
      ['scripts/run.sh', 0o755, '#!/bin/sh\n'],
    ])
  })

  it('has the same bytes every time, in whatever order the files come', async () => {
    expect(await make(files)).toEqual(await make(files.toReversed()))
  })

  it('holds links as links, and long and foreign names as they are', async () => {
    const long = `${'folder/'.repeat(20)}${'ä'.repeat(60)}.txt`
    const more = [
      ...files,
      { path: 'key.example', target: '../.ssh/id_rsa' },
      { path: long, mode: 0o644, bytes: Buffer.from('x') },
    ]
    const entries = await unpack({ format, bytes: await make(more) })
    expect(entries.filter(({ type }) => type === 'SymbolicLink').map(({ name, target }) => [name, target])).toEqual([
      ['key.example', '../.ssh/id_rsa'],
    ])
    expect(entries.find(({ name }) => name === long)?.content.toString()).toBe('x')
  })

  it('does not depend on the time, links included', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
    try {
      const link = [{ path: 'key.example', target: '../.ssh/id_rsa' }]
      const once = await make(link)
      vi.setSystemTime(1_800_000_000_000)
      expect(await make(link)).toEqual(once)
    } finally {
      vi.useRealTimers()
    }
  })
})
