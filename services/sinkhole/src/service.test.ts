import { request as httpsRequest, type RequestOptions } from 'node:https'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { otherOrigin, SinkholeEvent } from '@landfall/contracts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { startTestSinkhole, tokenOf } from './testing/sinkhole.ts'

const sent = { token: tokenOf('a'), fixture: 'some-skill', site: 'sent' }
const script = { host: 'sinkhole.lab', path: '/setup.sh', status: 200, contentType: 'text/x-shellscript', body: ':\n' }

describe('the world', () => {
  it('answers anything, and writes down what came', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({})
    const answer = await fetch(`${sinkhole.http}/a/b?c=%20d`, { method: 'PUT', body: 'hello', headers: { 'x-y': 'z' } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('sinkhole')
    const { requests, sightings, dropped } = await sinkhole.record()
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({
      from: '127.0.0.1',
      by: 'address',
      scheme: 'http',
      host: '127.0.0.1',
      method: 'PUT',
      path: '/a/b?c=%20d',
      bodyBytes: 5,
      bodySha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      body: Buffer.from('hello').toString('base64'),
      cut: false,
      status: 404,
    })
    expect(requests[0]?.headers).toContainEqual(['x-y', 'z'])
    expect(sightings).toEqual([])
    expect(dropped).toEqual({ requests: 0, dns: 0, faults: 0, sightings: 0, bytes: 0 })
  })

  it.each([
    ['path', '/x/LFC', {}],
    ['header', '/', { headers: { cookie: `id=${sent.token}` } }],
    ['body', '/', { method: 'POST', body: `a=1&b=${Buffer.from(`x${sent.token}`).toString('base64')}` }],
  ] as const)('finds a token in the %s', async (where, path, init) => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent], address: '192.0.2.1' })
    await fetch(`${sinkhole.http}${path.replace('LFC', sent.token)}`, init)
    const { sightings, requests } = await sinkhole.record()
    expect(sightings).toEqual([expect.objectContaining({ fixture: 'some-skill', site: 'sent', where, index: 0 })])
    // It came from elsewhere: the token decides.
    expect(requests[0]?.by).toBe('token')
  })

  it("answers by the trial's script: on its host and path, whatever the query, and for no other trial", async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ answers: [script] })
    const ask = async (path: string, host: string) => {
      const answer = await fetch(`${sinkhole.http}${path}`, { headers: { host } }).catch(() => undefined)
      return answer?.status
    }
    // fetch sends its own Host header, so a proxy's form of the request line is used below.
    expect(await ask('/setup.sh', 'ignored')).toBe(404)
    const viaProxy = async (target: string) =>
      (await raw(sinkhole.httpPort, `GET ${target} HTTP/1.1\r\n\r\n`)).split('\r\n')[0]
    expect(await viaProxy('http://SINKHOLE.lab/setup.sh?x=1')).toBe('HTTP/1.1 200 OK')
    expect(await viaProxy('http://elsewhere.example/setup.sh')).toBe('HTTP/1.1 404 Not Found')
    expect(await raw(sinkhole.httpPort, 'GET /setup.sh HTTP/1.0\r\nHost: sinkhole.lab:80\r\n\r\n')).toMatch(/\r\n:\n$/)
    await fetch(`${sinkhole.control}/trials/t-1`, { method: 'DELETE' })
    expect(await viaProxy('http://sinkhole.lab/setup.sh')).toBe('HTTP/1.1 404 Not Found')
  })

  it("keeps what is nobody's apart, and gives nothing to a trial that has ended", async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    await fetch(`${sinkhole.control}/trials/t-1`, { method: 'DELETE' })
    await fetch(`${sinkhole.http}/${sent.token}`)
    const { requests } = await sinkhole.unattributed()
    expect(requests.map(({ path, by }) => ({ path, by }))).toEqual([{ path: `/${sent.token}`, by: undefined }])
    expect((await fetch(`${sinkhole.control}/trials/t-1`)).status).toBe(404)
  })

  it('speaks TLS under any name, with a certificate that those who trust our authority take', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ answers: [script] })
    const ask = async (options: RequestOptions) => {
      const request = httpsRequest({ host: '127.0.0.1', port: sinkhole.httpsPort, agent: false, ...options })
      request.end()
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return text(response)
    }
    const ca = sinkhole.certificate
    for (const servername of ['any.example', 'a_b.example', `${'x'.repeat(63)}.${'y'.repeat(63)}.example`])
      expect(await ask({ ca, servername, headers: { host: servername } })).toContain('sinkhole')
    expect(await ask({ ca, servername: '', headers: { host: '127.0.0.1' } })).toContain('sinkhole')
    expect(await ask({ ca, servername: 'sinkhole.lab', path: '/setup.sh', headers: { host: 'sinkhole.lab' } })).toBe(
      ':\n',
    )
    await expect(ask({ servername: 'any.example' })).rejects.toThrow(/certificate/)
    const { requests } = await sinkhole.record()
    expect(requests.map(({ scheme, host }) => `${scheme} ${host}`)).toContain('https any.example')
    const mistrusted = { over: 'https', serverName: 'any.example', by: 'address', detail: 'ECONNRESET' }
    await expect.poll(async () => (await sinkhole.record()).faults).toEqual([expect.objectContaining(mistrusted)])
  })

  it('has an MCP server of another origin, and writes down what it is asked', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    const { authority, mcpUrl } = otherOrigin
    const uri = `skill://${authority}/exfil/${sent.token}/secrets.md`
    // The address is the lab's: this process resolves no such name.
    const elsewhere: typeof fetch = (url, init) => viaProxyFetch(sinkhole.httpPort, url, init)
    const client = new Client({ name: 'a-host', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { fetch: elsewhere }))
    const { contents } = await client.readResource({ uri })
    expect(contents).toEqual([expect.objectContaining({ uri, mimeType: 'text/markdown' })])
    await expect(client.readResource({ uri: 'skill://somewhere.example/x' })).rejects.toThrow()
    await client.close()
    const { requests, sightings } = await sinkhole.record()
    expect(requests.flatMap(({ mcp }) => (mcp?.method === 'resources/read' ? mcp.uri : []))).toEqual([
      uri,
      'skill://somewhere.example/x',
    ])
    expect(sightings).toContainEqual(expect.objectContaining({ site: 'sent', where: 'body' }))
  })

  it('serves the demonstration to whoever belongs to no trial, when it is asked to', async () => {
    await using sinkhole = await startTestSinkhole({}, { LANDFALL_WATCH: 'manual', LANDFALL_DEMO_SEED: 'd' })
    await fetch(`${sinkhole.http}/by-hand`)
    const { requests } = await sinkhole.record('manual')
    expect(requests.map(({ path, by }) => [path, by])).toEqual([['/by-hand', 'address']])
  })
})

describe('the control port', () => {
  it('refuses a key, an address or a token that is taken, and what is not a registration', async () => {
    await using sinkhole = await startTestSinkhole()
    expect((await sinkhole.register({ tokens: [sent] })).status).toBe(201)
    expect((await sinkhole.register({ address: '192.0.2.1' })).status).toBe(409)
    expect((await sinkhole.register({ key: 't-2' })).status).toBe(409)
    expect((await sinkhole.register({ key: 't-2', address: '192.0.2.1', tokens: [sent] })).status).toBe(409)
    expect((await sinkhole.register({ key: 't-2', address: 'nowhere' })).status).toBe(400)
    expect((await sinkhole.register({ key: 't-2', address: '192.0.2.1' })).status).toBe(201)
    const form = await fetch(`${sinkhole.control}/trials`, { method: 'POST', body: 'key=t-3' })
    expect(form.status).toBe(415)
    expect((await fetch(`${sinkhole.control}/nothing`)).status).toBe(404)
    const foreign = await raw(sinkhole.controlPort, 'GET /healthz HTTP/1.0\r\nHost: rebound.example\r\n\r\n')
    expect(foreign).toMatch(/^HTTP\/1.1 403/)
  })

  it('tells what comes as it comes, and the past to whoever joins late', async () => {
    await using sinkhole = await startTestSinkhole()
    await sinkhole.register({ tokens: [sent] })
    await fetch(`${sinkhole.http}/early`)
    const stream = await fetch(`${sinkhole.control}/events`)
    await fetch(`${sinkhole.http}/${sent.token}\r\ndata: {}`.replace('\r\n', '%0d%0a'))
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    while (!told.includes('"sent"')) told += (await reader?.read())?.value ?? ''
    await reader?.cancel()
    const events = told
      .split('\n')
      .flatMap((line) => (line.startsWith('data: ') ? SinkholeEvent.parse(JSON.parse(line.slice(6))) : []))
    expect(events.map(({ kind, trial, site }) => [kind, trial, site])).toEqual([
      ['request', 't-1', undefined],
      ['request', 't-1', undefined],
      ['sent', 't-1', 'sent'],
    ])
  })
})

/** Sends bytes and reads to the end of the connection. */
async function raw(port: number, bytes: string): Promise<string> {
  const { connect } = await import('node:net')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end(Buffer.from(bytes, 'latin1'))
  return text(socket)
}

/** As a client does that sends everything to a proxy: any address is asked of `port`. */
async function viaProxyFetch(port: number, url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { request } = await import('node:http')
  const target = new URL(url instanceof Request ? url.url : url)
  const headers = { ...Object.fromEntries(new Headers(init.headers)), host: target.host }
  const outgoing = request({ port, host: '127.0.0.1', path: target.href, method: init.method ?? 'GET', headers })
  outgoing.end(typeof init.body === 'string' ? init.body : undefined)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const body = await text(incoming)
  const plain = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)])
  const status = incoming.statusCode ?? 0
  return new Response(status === 202 || status === 204 ? null : body, { status, headers: plain })
}
