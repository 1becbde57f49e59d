import type { DecodedPacket } from 'dns-packet'
import { decode, encode } from 'dns-packet'

/**
 * What the name server answers: every name has one address, the sinkhole's. Nothing else is known of any name,
 * which is no error (NOERROR without an answer), so that a client does not look elsewhere.
 */
export interface DnsExchange {
  /** Absent when there must be no answer. */
  readonly reply?: Buffer
  readonly query?: { readonly name: string; readonly type: string }
  /** Why the packet was no question. */
  readonly fault?: string
}

/** Seconds for which an answer may be kept: a victim lives about as long. */
const ttl = 1
const repeatable = /^(?:\.?|[\x21-\x2d\x2f-\x7e]{1,63}(?:\.[\x21-\x2d\x2f-\x7e]{1,63})*)$/
const headerBytes = 12
const notImplemented = 4
const formatError = 1

/** @param message without the length that precedes it over TCP. Never throws. */
export function answerQuery(message: Buffer, address: string): DnsExchange {
  if (message.length < headerBytes) return { fault: 'shorter than a header' }
  // To answer an answer could go on for ever between two servers.
  if ((message.readUInt8(2) & 0x80) !== 0) return { fault: 'an answer, not a question' }
  let packet: DecodedPacket
  try {
    packet = decode(message)
  } catch (error) {
    return { reply: refusal(message, formatError), fault: error instanceof Error ? error.message : 'unreadable' }
  }
  const [question, ...more] = packet.questions ?? []
  const opcode = (message.readUInt8(2) >> 3) & 0x0f
  if (opcode !== 0 || question === undefined || more.length > 0)
    return { reply: refusal(message, notImplemented), fault: 'not one plain question' }
  const { name } = question
  const type = question.type.replace('UNKNOWN_', 'TYPE')
  const query = { name, type }
  // Bytes that are no ASCII were lost in decoding, and labels that hold dots would come back as others.
  if (!repeatable.test(name)) return { query, reply: refusal(message, formatError) }
  const known = (type === 'A' || type === 'ANY') && (question.class ?? 'IN') === 'IN'
  const answers = known ? [{ type: 'A' as const, name, ttl, data: address }] : []
  try {
    const flags = 0x0400 | (message.readUInt16BE(2) & 0x0100) | 0x0080
    return { query, reply: encode({ type: 'response', id: packet.id ?? 0, flags, questions: [question], answers }) }
  } catch {
    return { query, reply: refusal(message, formatError) }
  }
}

/** An answer that repeats the id and nothing else, since the question cannot be repeated. */
function refusal(message: Buffer, rcode: number): Buffer {
  const reply = Buffer.alloc(headerBytes)
  message.copy(reply, 0, 0, 2)
  reply.writeUInt16BE(0x8080 | (message.readUInt16BE(2) & 0x7900) | rcode, 2)
  return reply
}
