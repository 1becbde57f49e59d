import { describe, expect, it } from 'vitest'
import { morePackages, withAgents } from './agents-image.ts'
import { sampleHost } from './testing/samples.ts'

const host = (id: string, npm: Record<string, string>) => ({ id, needs: { apt: [], npm } })

describe('morePackages', () => {
  it("are what a user's own hosts need, each once, and nothing of ours", () => {
    const own = [host('mine', { b: '1.0.0', '@a/a': '2.0.0' }), host('other', { b: '1.0.0' })]
    expect(morePackages([...own, host('ours', { c: '3.0.0' })], [host('ours', {})])).toBe('@a/a@2.0.0 b@1.0.0')
  })

  it('are none when there is no host of their own', () => {
    expect(morePackages([host('ours', { c: '3.0.0' })], [host('ours', {})])).toBe('')
  })
})

describe('withAgents', () => {
  it('builds nothing for a run in which no host needs the image', async () => {
    const images = { 'victim-host': { image: 'v', id: 'sha256:1' } }
    const said: string[] = []
    const brought = await withAgents({ images, hosts: [sampleHost], nodeImage: 'node' }, (line) => said.push(line))
    expect(brought).toBe(images)
    expect(said).toEqual([])
  })
})
