import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonLines } from './stdio-lines.ts'

/** What comes out of `input`, written in pieces that end at `cuts`, and how many lines were told of. */
async function through(input: Buffer, cuts: readonly number[] = []): Promise<{ out: string; garbage: number }> {
  let garbage = 0
  const lines = new JsonLines(() => (garbage += 1))
  const out = text(lines)
  let start = 0
  for (const cut of cuts.toSorted((a, b) => a - b)) {
    lines.write(input.subarray(start, cut))
    start = Math.max(start, cut)
  }
  lines.end(input.subarray(start))
  return { out: await out, garbage }
}

describe('JsonLines', () => {
  it('lets JSON pass as it is and tells of each other line, wherever the pieces end', async () => {
    const line = fc.oneof(
      fc.json({ maxDepth: 2 }).map((json) => ({ json, good: true })),
      fc.constantFrom('garbage', '{"jsonrpc":', '}', 'é€', '[1,]').map((json) => ({ json, good: false })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(200), { maxLength: 4 }), async (all, cuts) => {
        const input = Buffer.from(all.map(({ json }) => `${json}\n`).join(''))
        const { out, garbage } = await through(
          input,
          cuts.filter((cut) => cut <= input.length),
        )
        const good = all.filter((each) => each.good)
        expect(out).toBe(good.map(({ json }) => `${json}\n`).join(''))
        expect(garbage).toBe(all.length - good.length)
      }),
    )
  })

  it('says nothing of empty lines, and something of a last line that was cut off', async () => {
    expect(await through(Buffer.from('\n\r\n  \n1\r\n'))).toEqual({ out: '1\r\n', garbage: 0 })
    expect(await through(Buffer.from('1\n{"a":'))).toEqual({ out: '1\n', garbage: 1 })
  })

  it('holds no line that is too long for a message', async () => {
    const long = Buffer.alloc(11 * 1024 * 1024, 'x')
    expect((await through(long)).out).toHaveLength(long.length)
  })
})
