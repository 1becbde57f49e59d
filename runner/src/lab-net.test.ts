import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candidateNets, isOverlap, VictimAddresses } from './lab-net.ts'

describe('candidateNets', () => {
  it('names every net of 198.18.0.0/15 once but the one of the lab by hand, from a start that the run decides', () => {
    fc.assert(
      fc.property(fc.string(), (run) => {
        const found = candidateNets(run, [])
        expect(new Set(found).size).toBe(511)
        expect(found).not.toContain('198.18.39')
        expect(found.filter((net) => !/^198\.1[89]\.\d+$/.test(net))).toEqual([])
        expect(candidateNets(run, [])).toEqual(found)
      }),
      { numRuns: 20 },
    )
    expect(candidateNets('run-1', [])[0]).not.toBe(candidateNets('run-2', [])[0])
  })

  it('leaves out what is in use, whatever its size', () => {
    const first = candidateNets('run', [])[0] ?? ''
    expect(candidateNets('run', [`${first}.0/24`])).not.toContain(first)
    expect(candidateNets('run', [`${first}.128/25`])).not.toContain(first)
    expect(candidateNets('run', ['198.18.0.0/16']).filter((net) => net.startsWith('198.18.'))).toEqual([])
    expect(candidateNets('run', ['198.18.0.0/15', '172.17.0.0/16'])).toEqual([])
    expect(candidateNets('run', ['0.0.0.0/0'])).toEqual([])
    expect(candidateNets('run', ['172.17.0.0/16', 'fd00::/64', 'nonsense'])).toHaveLength(511)
  })
})

describe('VictimAddresses', () => {
  it('lends each address to one at a time, and one that came back last of all', () => {
    const addresses = new VictimAddresses('198.19.7')
    const all = Array.from({ length: 210 }, () => addresses.lend())
    expect(new Set(all.map(({ address }) => address)).size).toBe(210)
    expect(all[0]?.address).toBe('198.19.7.10')
    expect(() => addresses.lend()).toThrow(/more victims/)
    all[5]?.[Symbol.dispose]()
    all[2]?.[Symbol.dispose]()
    expect(addresses.lend().address).toBe('198.19.7.15')
    expect(addresses.lend().address).toBe('198.19.7.12')
  })
})

describe('isOverlap', () => {
  it("knows the engine's refusal", () => {
    const text =
      'failed to create network x: Error response from daemon: Pool overlaps with other one on this address space'
    expect(isOverlap(new Error(text))).toBe(true)
    expect(isOverlap(new Error('no space left on device'))).toBe(false)
  })
})
