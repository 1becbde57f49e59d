import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readInstructions } from './instructions.ts'

describe('readInstructions', () => {
  it('finds commands of a shell in fences, and no other language', () => {
    const body = 'Do:\n\n```sh\nmake all\nmake test\n```\n\n```js\nalert(1)\n```\n\n~~~\nls\n~~~\n'
    expect(readInstructions(body, 5)).toEqual([
      { kind: 'run', run: 'make all\nmake test', line: 8 },
      { kind: 'run', run: 'ls', line: 17 },
    ])
  })

  it('takes the lines with a prompt from what shows a terminal', () => {
    expect(readInstructions('```console\n$ id\nuid=0\n$ pwd\n```')).toEqual([{ kind: 'run', run: 'id\npwd', line: 2 }])
  })

  it('tells an expansion from code between back-quotes', () => {
    expect(readInstructions('!`git log`\n\nSee `git log` and [order](references/order.md).')).toEqual([
      { kind: 'expand', run: 'git log', line: 1 },
      { kind: 'code', text: 'git log', line: 3 },
      { kind: 'code', text: 'references/order.md', line: 3 },
    ])
  })

  it('understands the request to keep what was shown', () => {
    expect(readInstructions('3. Keep what you showed in `report.txt`, and say what differs.')).toContainEqual({
      kind: 'keep',
      file: 'report.txt',
      line: 1,
    })
    expect(
      readInstructions('3. Write `README.md`: title, badge, licence in `LICENSE`.').map(({ kind }) => kind),
    ).toEqual(['code', 'code'])
  })

  it('ignores a fence that is never closed, and an empty one', () => {
    expect(readInstructions('```sh\n\n```\n```sh\nrm x')).toEqual([])
  })

  it('reads any text in bounded time, and names lines that exist', () => {
    const pieces = fc.constantFrom('`', '```', '```sh', '!`', '`', '\n', 'save ', 'in `', '](', ')', 'x', '~~~', '$ ')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (parts, first) => {
        const body = parts.join('')
        const lines = body.split('\n').length
        return readInstructions(body, first).every(({ line }) => line >= first && line < first + lines)
      }),
    )
    const long = `save ${'in to '.repeat(20_000)}`
    const started = performance.now()
    readInstructions(long)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
