import { describe, expect, it } from 'vitest'
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
})
