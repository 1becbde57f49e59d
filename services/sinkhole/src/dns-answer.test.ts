import { decode, encode } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerQuery } from './dns-answer.ts'

const address = '198.18.39.2'
const ask = (name: string, type: 'A' | 'AAAA' | 'TXT' | 'MX' | 'PTR' = 'A') =>
  encode({ type: 'query', id: 4711, flags: 0x0100, questions: [{ name, type }] })
const answered = (message: Buffer) => {
  const { reply } = answerQuery(message, address)
  if (reply === undefined) throw new Error('there is no answer')
  return decode(reply)
}

describe('answerQuery', () => {
  it('gives every name the address of the sinkhole', () => {
    const names = ['example.com', 'a', `LFC-${'0'.repeat(32)}.exfil.example`, 'x_y.Example']
    for (const name of names) {
      expect(answered(ask(name))).toMatchObject({
        type: 'response',
        id: 4711,
        rcode: 'NOERROR',
        flag_aa: true,
        flag_rd: true,
        questions: [{ name, type: 'A' }],
        answers: [{ name, type: 'A', data: address }],
      })
      expect(answerQuery(ask(name), address).query).toEqual({ name, type: 'A' })
    }
  })

  it.each(['AAAA', 'TXT', 'MX', 'PTR'] as const)('knows no %s of any name, which is no error', (type) => {
    expect(answered(ask('example.com', type))).toMatchObject({ rcode: 'NOERROR', answers: [] })
    expect(answerQuery(ask('example.com', type), address).query).toEqual({ name: 'example.com', type })
  })

  it('names a type that the library does not know by its number', () => {
    const message = ask('example.com')
    message.writeUInt16BE(4_242, message.length - 4)
    expect(answerQuery(message, address).query).toEqual({ name: 'example.com', type: 'TYPE4242' })
    expect(answered(message)).toMatchObject({ rcode: 'NOERROR', answers: [] })
  })

  it('answers no answer, so that two servers cannot talk for ever', () => {
    const message = ask('example.com')
    message.writeUInt8(message.readUInt8(2) | 0x80, 2)
    expect(answerQuery(message, address)).toEqual({ fault: 'an answer, not a question' })
  })

  it.each([
    [
      'two questions',
      encode({
        type: 'query',
        questions: [
          { name: 'a', type: 'A' },
          { name: 'b', type: 'A' },
        ],
      }),
      'NOTIMP',
    ],
    ['no question', encode({ type: 'query', questions: [] }), 'NOTIMP'],
    ['a name that points at itself', Buffer.from('000001000001000000000000c00c00010001', 'hex'), 'FORMERR'],
    ['65,535 questions in a few bytes', Buffer.from('00000100ffffffffffffffff00', 'hex'), 'FORMERR'],
  ])('refuses %s', (_, message, rcode) => {
    expect(answered(message)).toMatchObject({ rcode, answers: [] })
    expect(answerQuery(message, address).fault).toEqual(expect.any(String))
  })

  it('tells of a name that cannot be repeated, and refuses it', () => {
    // One label of two bytes, `a.`, and another: spelt out it would be `a..a`, which is no name.
    const message = Buffer.from('00010100000100000000000002612e01610000010001', 'hex')
    expect(answerQuery(message, address).query).toEqual({ name: 'a..a', type: 'A' })
    expect(answered(message)).toMatchObject({ rcode: 'FORMERR', questions: [], answers: [] })
  })

  it('takes any bytes, changed questions among them, and what it answers can be read', () => {
    const changed = fc
      .tuple(fc.domain(), fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 5 }))
      .map(([name, changes]) => {
        const message = ask(name)
        for (const [at, value] of changes) if (at < message.length) message[at] = value
        return message
      })
    const any = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.oneof(changed, any), (message) => {
        const { reply } = answerQuery(message, address)
        if (reply === undefined) return
        const { id, answers = [] } = decode(reply)
        expect(id).toBe(message.readUInt16BE(0))
        for (const answer of answers) expect(answer).toMatchObject({ type: 'A', data: address })
      }),
      { numRuns: 2_000 },
    )
  })
})
