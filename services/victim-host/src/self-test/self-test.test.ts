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
        unresolvable: [],
      }),
    ).toMatchObject({
      'reach a': true,
      'reach b': false,
      'not reach c': false,
      'not reach d': true,
      'not reach e': false,
    })
  })

  it('tells a name that resolves from one that does not', async () => {
    expect(
      await verdicts({ reachable: [], unreachable: [], unresolvable: ['localhost', 'no-such-name.invalid'] }),
    ).toMatchObject({
      'not resolve localhost': false,
      'not resolve no-such-name.invalid': true,
    })
  })
})

describe('parseStatus', () => {
  it('reads the lines by name', () => {
    const status = parseStatus('Name:\tnode\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n\n')
    expect(Object.fromEntries(status)).toEqual({ Name: 'node', CapEff: '0000000000000000', NoNewPrivs: '1' })
  })
})
