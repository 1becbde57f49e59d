import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { probeNetwork } from './network.ts'
import { parseStatus } from './privileges.ts'

async function listening() {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const close = () => new Promise((resolve) => server.close(resolve))
  return { port: address.port, close, [Symbol.asyncDispose]: async () => void (await close()) }
}

async function verdicts(targets: Parameters<typeof probeNetwork>[0]) {
  const probes = await probeNetwork(targets)
  return Object.fromEntries(probes.map(({ probe, passed }) => [probe, passed]))
}

describe('probeNetwork', () => {
  it('tells an open port from a closed one', async () => {
    await using open = await listening()
    const gone = await listening()
    await gone.close()
    const target = (what: string, port: number, mayRefuse: boolean) => ({ what, host: '127.0.0.1', port, mayRefuse })
    expect(
      await verdicts({
        reachable: [target('a', open.port, false), target('b', gone.port, false)],
        unreachable: [target('c', open.port, true), target('d', gone.port, true), target('e', gone.port, false)],
        sinkholed: { address: '127.0.0.1', names: [] },
      }),
    ).toMatchObject({
      'reach a': true,
      'reach b': false,
      'not reach c': false,
      'not reach d': true,
      'not reach e': false,
    })
  })

  it('tells a name that leads to the sinkhole alone from one that leads elsewhere, or nowhere', async () => {
    const sinkholed = (address: string) => ({ address, names: ['127.0.0.1', 'no-such-name.invalid'] })
    const none = { reachable: [], unreachable: [] }
    expect(await verdicts({ ...none, sinkholed: sinkholed('127.0.0.1') })).toMatchObject({
      'resolve 127.0.0.1 to the sinkhole only': true,
      'resolve no-such-name.invalid to the sinkhole only': false,
    })
    expect(await verdicts({ ...none, sinkholed: sinkholed('127.0.0.2') })).toMatchObject({
      'resolve 127.0.0.1 to the sinkhole only': false,
    })
  })
})

describe('parseStatus', () => {
  it('reads the lines by name', () => {
    const status = parseStatus('Name:\tnode\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n\n')
    expect(Object.fromEntries(status)).toEqual({ Name: 'node', CapEff: '0000000000000000', NoNewPrivs: '1' })
  })
})
