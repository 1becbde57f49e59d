import { describe, expect, it } from 'vitest'
import { keptDirectories } from './kept.ts'

const keeps = ['{home}/.host/*/*/files']
const of = (...paths: string[]) =>
  keptDirectories(
    { keeps },
    '/home/agent',
    paths.map((path) => ({ path })),
  )

describe('keptDirectories', () => {
  it('finds each directory of a pattern that something lies in, once', () => {
    expect(
      of(
        '/home/agent/.host/lab/a1/files/SKILL.md',
        '/home/agent/.host/lab/a1/files',
        '/home/agent/.host/lab/b2/files/x/y',
      ),
    ).toEqual(['/home/agent/.host/lab/a1/files', '/home/agent/.host/lab/b2/files'])
  })

  it('takes nothing beside it, above it, or of another home', () => {
    expect(
      of(
        '/home/agent/.host/lab/a1/other',
        '/home/agent/.host/lab/files',
        '/root/.host/lab/a1/files/x',
        '/home/agent/.host/a/b/c/files',
      ),
    ).toEqual([])
  })
})
