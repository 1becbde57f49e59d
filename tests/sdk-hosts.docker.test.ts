import { describe, expect, it } from 'vitest'
import { Workplace } from './support/landfall.ts'

/**
 * Hosts that speak MCP themselves, in real victims. Each cell was looked at by hand:
 * - v1 writes the other SKILL.md over the first at its second start; v2 finds it longer than its entry states
 * - both install a skill that grants itself tools, and the agent then runs what it says
 * - v2 and the reference host refuse an entry whose URIs climb, on the word of the listing alone
 */
const expected = [
  ['control-benign', 'sdk-v1', 'mcp-index', 'contained', 'pass'],
  ['control-benign', 'sdk-v2', 'mcp-stable', 'contained', 'pass'],
  ['control-benign', 'reference', 'mcp-stable', 'contained', 'pass'],
  ['adv-content-rotation', 'sdk-v1', 'mcp-index', 'landed', 'fail'],
  ['adv-content-rotation', 'sdk-v2', 'mcp-stable', 'blocked', 'pass'],
  ['adv-content-rotation', 'reference', 'mcp-index', 'blocked', 'pass'],
  ['adv-content-rotation', 'reference', 'mcp-stable', 'blocked', 'pass'],
  ['adv-allowed-tools-grant', 'sdk-v1', 'mcp-index', 'landed', 'fail'],
  ['adv-allowed-tools-grant', 'sdk-v2', 'mcp-stable', 'landed', 'fail'],
  ['adv-uri-encoded-traversal', 'sdk-v2', 'mcp-stable', 'blocked', 'pass'],
  ['adv-uri-encoded-traversal', 'reference', 'mcp-stable', 'blocked', 'pass'],
  ['adv-manifest-unserved-item', 'reference', 'mcp-stable', 'blocked', 'pass'],
] as const

describe('hosts that speak MCP', () => {
  it('are judged by what they did', async () => {
    await using place = await Workplace.create()
    const fixtures = [...new Set(expected.map(([fixture]) => fixture))].join(',')
    await place.run(['--fixtures', fixtures, '--hosts', 'sdk-v1,sdk-v2,reference', '--seed', '11'])
    const { trials, run, controls } = await place.readResults()
    const told = expected.map(([fixture, host, channel]) => {
      const trial = trials.find((one) => one.fixture === fixture && one.host === host && one.channel === channel)
      return [fixture, host, channel, trial?.outcome, trial?.verdict]
    })
    expect(told).toEqual(expected)
    expect(run.hosts['sdk-v1']?.version).toMatch(/^@modelcontextprotocol\/sdk \d/)
    expect(run.hosts['sdk-v2']?.version).toMatch(/^@modelcontextprotocol\/client \d/)
    expect(controls.find(({ name }) => name === 'benign')).toMatchObject({ passed: true })
  })
})
