import { describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { candidateNets, isOverlap, takenSubnets } from '../runner/src/lab-net.ts'

/** What the engine says of networks decides where a run's lab goes. */
describe('the address of the lab network', () => {
  it('is not one that a network of the engine has, and a race for it is recognised', async () => {
    const engine = await connectEngine()
    const [net = ''] = candidateNets(`race-${process.pid}`, await takenSubnets(engine))
    const make = (name: string) =>
      engine.createNetwork({
        Name: `landfall-race-${process.pid}-${name}`,
        Internal: true,
        IPAM: { Config: [{ Subnet: `${net}.0/24` }] },
      })
    const first = await make('first')
    try {
      expect(candidateNets(`race-${process.pid}`, await takenSubnets(engine))).not.toContain(net)
      const refusal = await make('second').then(
        async (network) => void (await network.remove()),
        (error: unknown) => error,
      )
      expect(isOverlap(refusal)).toBe(true)
    } finally {
      await first.remove()
    }
  })
})
