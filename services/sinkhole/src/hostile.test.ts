import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { decode, encode, streamEncode } from 'dns-packet'
import { describe, expect, it } from 'vitest'
import { startTestSinkhole, tokenOf } from './testing/sinkhole.ts'

/** What hostile code sends: bounded memory, a record that says what is missing, and never down. */
const sent = { token: tokenOf('b'), fixture: 'some-skill', site: 'sent' }
const mebibyte = 1024 * 1024

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Answers what comes back until the other end closes. */
async function send(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = await open(port)
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  return (await buffer(socket).catch(() => Buffer.alloc(0))).toString('latin1')
}

/** Unlike `once`, whatever error comes before. */
const closed = (socket: Socket) =>
  new Promise<void>((done) => (socket.closed ? done() : socket.on('close', () => done())))

type Sinkhole = Awaited<ReturnType<typeof startTestSinkhole>>
const alive = async ({ http, control }: Sinkhole) => {
  expect((await fetch(`${http}/alive`)).status).toBe(404)
  expect((await fetch(`${control}/healthz`)).status).toBe(200)
}

describe('a victim that sends what it should not', () => {
  it('gets no more than a line of refusal for a head that is too large, and its token is seen', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    const head = `GET /${sent.token} HTTP/1.1\r\nHost: a\r\n${'x-filler: 0123456789\r\n'.repeat(5_000)}\r\n`
    expect(await send(sinkhole.httpPort, head)).toMatch(/^HTTP\/1.1 431 /)
    expect((await sinkhole.record()).faults).toEqual([
      expect.objectContaining({ over: 'http', detail: 'HPE_HEADER_OVERFLOW' }),
    ])
    await alive(sinkhole)
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['a header with a bare line feed', 'GET / HTTP/1.1\r\nHost: a\nx: y\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a chunk without a size', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['control characters', 'GET /\x00\x1b[2J HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('is written down when it sends %s', async (_, bytes) => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    await send(sinkhole.httpPort, `${bytes}${sent.token}`)
    await expect
      .poll(async () => (await sinkhole.record()).faults.length + (await sinkhole.record()).requests.length)
      .toBeGreaterThan(0)
    expect((await sinkhole.record()).sightings.length).toBeGreaterThan(0)
    await alive(sinkhole)
  })

  it('takes any method, target and expectation, and no tunnel', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({})
    const close = 'Connection: close\r\n\r\n'
    expect(await send(sinkhole.httpPort, `PROPFIND * HTTP/1.1\r\nHost: a\r\n${close}`)).toMatch(/^HTTP\/1.1 404/)
    expect(await send(sinkhole.httpPort, `GET /x HTTP/1.1\r\nExpect: the-moon\r\n${close}`)).toMatch(/^HTTP\/1.1 404/)
    expect(await send(sinkhole.httpPort, `GET /y HTTP/1.1\r\nUpgrade: websocket\r\n${close}`)).toMatch(/^HTTP\/1.1 404/)
    expect(await send(sinkhole.httpPort, 'CONNECT db.example:5432 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 405/)
    const { requests } = await sinkhole.record()
    expect(requests.map(({ method, host, path }) => [method, host, path])).toEqual([
      ['PROPFIND', 'a', '*'],
      ['GET', '', '/x'],
      ['GET', '', '/y'],
      ['CONNECT', 'db.example', 'db.example:5432'],
    ])
  })

  it('has a body read to the limit and kept to another, with the token in its middle seen', async () => {
    await using sinkhole = await startTestSinkhole({ bodyRead: 2 * mebibyte })
    await sinkhole.register({ tokens: [sent] })
    const body = Buffer.alloc(mebibyte, '.')
    body.write(sent.token, mebibyte / 2)
    expect((await fetch(`${sinkhole.http}/fits`, { method: 'POST', body })).status).toBe(404)
    await fetch(`${sinkhole.http}/does-not`, { method: 'POST', body: Buffer.alloc(8 * mebibyte) }).catch(
      () => undefined,
    )
    await expect.poll(async () => (await sinkhole.record()).requests.length).toBe(2)
    const { requests, sightings } = await sinkhole.record()
    expect(requests[0]).toMatchObject({ path: '/fits', bodyBytes: mebibyte, cut: false })
    expect(Buffer.from(requests[0]?.body ?? '', 'base64').length).toBe(16 * 1024)
    expect(requests[1]).toMatchObject({ path: '/does-not', cut: true })
    expect(requests[1]?.bodyBytes).toBeLessThan(4 * mebibyte)
    expect(sightings).toEqual([{ fixture: 'some-skill', site: 'sent', where: 'body', as: 'plain', index: 0 }])
  })

  it('is written down when it leaves in the middle of a body', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    const socket = await open(sinkhole.httpPort)
    socket.write(`POST /part HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n${sent.token}`)
    await delay(100)
    socket.destroy()
    await expect.poll(async () => (await sinkhole.record()).sightings.length).toBe(1)
    expect((await sinkhole.record()).requests[0]).toMatchObject({ path: '/part', cut: true, bodyBytes: 36, status: 0 })
  })

  it('cannot hold connections by being slow, nor take more than its share of them', { timeout: 20_000 }, async () => {
    await using sinkhole = await startTestSinkhole({ connections: 40, headMs: 500, requestMs: 1_500, idleMs: 1_000 })
    await sinkhole.register({})
    const sockets = await Promise.all(Array.from({ length: 60 }, () => open(sinkhole.httpPort)))
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nx: ')
    const drip = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('y')), 100)
    await Promise.all(sockets.map(closed))
    clearInterval(drip)
    const details = (await sinkhole.record()).faults.map(({ detail }) => detail)
    expect(details.filter((detail) => detail === 'too many connections').length).toBeGreaterThanOrEqual(20)
    await alive(sinkhole)
  })

  it('gets certificates under any name without filling the memory, and TLS garbage is written down', async () => {
    await using sinkhole = await startTestSinkhole({ certificates: 5 })
    await sinkhole.register({ tokens: [sent] })
    for (let index = 0; index < 20; index += 1) {
      const socket = connectTls({
        port: sinkhole.httpsPort,
        host: '127.0.0.1',
        ca: sinkhole.certificate,
        servername: `n${index}.example`,
      })
      await once(socket, 'secureConnect')
      socket.destroy()
    }
    await send(sinkhole.httpsPort, `\x16\x03\x01\xff\xff${'garbage '.repeat(100)}`)
    await send(sinkhole.httpsPort, 'GET / HTTP/1.1\r\n\r\n')
    await expect.poll(async () => (await sinkhole.record()).faults.length).toBe(22)
    const leaky = connectTls({ port: sinkhole.httpsPort, host: '127.0.0.1', servername: `${sent.token}.example` })
    leaky.on('error', () => undefined)
    await closed(leaky)
    await expect
      .poll(async () => (await sinkhole.record()).sightings)
      .toEqual([{ fixture: 'some-skill', site: 'sent', where: 'fault', as: 'plain', index: 22 }])
    await alive(sinkhole)
  })

  it(
    'is answered and counted through ten thousand requests, and what is kept stays within the limits',
    { timeout: 60_000 },
    async () => {
      await using sinkhole = await startTestSinkhole({ requests: 500, sightings: 50, trialBytes: mebibyte })
      await sinkhole.register({ tokens: [sent] })
      const total = 10_000
      const lanes = 20
      const one = `GET /${sent.token} HTTP/1.1\r\nHost: a\r\nx: ${'z'.repeat(4_000)}\r\n\r\n`
      const last = one.replace('Host: a', 'Connection: close\r\nHost: a')
      const answers = await Promise.all(
        Array.from({ length: lanes }, () => send(sinkhole.httpPort, one.repeat(total / lanes - 1) + last)),
      )
      const answered = answers.reduce((sum, text) => sum + (text.match(/HTTP\/1\.1 404/g) ?? []).length, 0)
      expect(answered).toBe(total)
      const { requests, sightings, dropped } = await sinkhole.record()
      expect(requests.length + dropped.requests).toBe(total)
      expect(requests.length).toBe(500)
      expect(dropped.bytes).toBeGreaterThan(0)
      expect(sightings.length).toBe(50)
      expect(sightings.length + dropped.sightings).toBe(total)
      await alive(sinkhole)
    },
  )

  it('leaves room for the next trial after one that used up its own', async () => {
    await using sinkhole = await startTestSinkhole({ allBytes: 4_000, trialBytes: 4_000 })
    for (const key of ['t-1', 't-2', 't-3']) {
      await sinkhole.register({ key })
      for (let index = 0; index < 10; index += 1)
        await fetch(`${sinkhole.http}/${key}`, { headers: { connection: 'close' } })
      const { requests, dropped } = await sinkhole.record(key)
      expect(requests.length).toBeGreaterThan(2)
      expect(requests.length + dropped.requests).toBe(10)
      await fetch(`${sinkhole.control}/trials/${key}`, { method: 'DELETE' })
    }
  })

  it('forges no line in the log or in the stream of events', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({})
    const forged = '{"level":60,"msg":"forged"}'
    await send(
      sinkhole.httpPort,
      `GET /a\x85b\u0090${forged} HTTP/1.1\r\nHost: \xe2\x80\xae\r\nConnection: close\r\n\r\n`,
    )
    const name = `x\n${forged}\u202e`
    await ask(sinkhole.dnsPort, encode({ type: 'query', id: 1, questions: [{ name, type: 'A' }] }))
    expect(sinkhole.lines.length).toBeGreaterThanOrEqual(2)
    for (const line of sinkhole.lines) {
      expect(line).toMatch(/^[\x20-\x7e]+\n$/)
      expect((JSON.parse(line) as { level: number }).level).toBeLessThan(60)
    }
  })
})

/** Sends a datagram and answers the first that comes back, or undefined. */
async function ask(port: number, message: Uint8Array, waitMs = 500): Promise<Buffer | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.send(message, port, '127.0.0.1')
    const answer = once(socket, 'message', { signal: AbortSignal.timeout(waitMs) }) as Promise<[Buffer]>
    return (await answer.catch(() => []))[0]
  } finally {
    socket.close()
  }
}

describe('a victim that asks for names', () => {
  const question = (name: string) => encode({ type: 'query', id: 7, questions: [{ name, type: 'A' }] })

  it('gets the address of the sinkhole, over UDP and TCP, and a token in a name is seen', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    const name = `${sent.token}.exfil.example`
    const answer = await ask(sinkhole.dnsPort, question(name))
    expect(answer && decode(answer).answers).toEqual([expect.objectContaining({ name, data: '127.0.0.1' })])
    const hex = Buffer.from(sent.token).toString('hex')
    const split = `${hex.slice(0, 40)}.${hex.slice(40)}.example`
    const socket = await open(sinkhole.dnsTcpPort)
    const message = streamEncode({ type: 'query', id: 7, questions: [{ name: split, type: 'A' }] })
    // In two pieces, to be put together.
    socket.write(message.subarray(0, 5))
    await delay(50)
    socket.write(message.subarray(5))
    const [piece] = (await once(socket, 'data')) as [Buffer]
    expect(decode(piece.subarray(2)).answers).toHaveLength(1)
    socket.destroy()
    const { dns, sightings } = await sinkhole.record()
    expect(dns.map(({ transport, type, by }) => [transport, type, by])).toEqual([
      ['udp', 'A', 'token'],
      ['tcp', 'A', 'token'],
    ])
    expect(sightings.map(({ where, as, index }) => [where, as, index])).toEqual([
      ['dns', 'plain', 0],
      ['dns', 'hex', 1],
    ])
  })

  it('does not bring it down with packets that are none, and a flood is counted', { timeout: 30_000 }, async () => {
    await using sinkhole = await startTestSinkhole({ queries: 100, faults: 50 })
    await sinkhole.register({})
    const socket = createSocket('udp4')
    const flood = [
      Buffer.alloc(0),
      Buffer.alloc(11),
      Buffer.alloc(12, 0xff),
      Buffer.from('000001000001000000000000c00c00010001', 'hex'),
    ]
    for (let round = 0; round < 200; round += 1) {
      for (const message of [...flood, question(`n${round}.example`)])
        socket.send(message, sinkhole.dnsPort, '127.0.0.1')
      await delay(1)
    }
    socket.close()
    await expect.poll(async () => (await sinkhole.record()).dropped.dns, { timeout: 5_000 }).toBeGreaterThan(0)
    const { dns, faults, dropped } = await sinkhole.record()
    expect(dns).toHaveLength(100)
    expect(faults).toHaveLength(50)
    expect(dropped.faults).toBeGreaterThan(0)
    expect(await ask(sinkhole.dnsPort, question('still.example'))).toBeDefined()
    expect(await send(sinkhole.dnsTcpPort, Buffer.concat([Buffer.from([0, 5]), Buffer.alloc(5)]))).toBe('')
  })
})
