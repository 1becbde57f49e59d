import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corpusSkills, fixtures } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { Workplace } from './support/landfall.ts'

describe('the witnesses', () => {
  it("agree: the engine's own changes of the stopped victim are W1's, over all fixtures for three hosts", async () => {
    await using place = await Workplace.create()
    // These two and the naive control take both formats, so every archive fixture is run three times.
    const { stdout, stderr } = await place.run(['--hosts', 'bsdtar,7z', '--cross-check', '--user', 'agent'])
    const results = await place.readResults()
    const ran = results.trials.filter(({ evidence, host }) => evidence !== '' && host !== 'inert')
    expect(
      ran.filter(({ outcome }) => outcome === 'inconclusive'),
      `${stdout}${stderr}`,
    ).toEqual([])
    expect(new Set(ran.map(({ host }) => host))).toEqual(new Set(['bsdtar', '7z', 'naive']))
    const archives = [...fixtures, ...corpusSkills]
      .filter(({ channels }) => channels.includes('archive-file'))
      .map(({ id }) => id)
    expect(archives.length).toBeGreaterThanOrEqual(12)
    expect(new Set(ran.map(({ fixture }) => fixture))).toEqual(new Set(archives))
    expect(ran).toHaveLength(3 * archives.length)
    let compared = 0
    for (const { evidence } of ran) {
      const read = async (name: string) =>
        JSON.parse(await readFile(join(place.results, 'latest', evidence, name), 'utf8')) as unknown
      expect(await read('disagreements.json')).toEqual([])
      compared += ((await read('observation.json')) as { changes: unknown[] }).changes.length
    }
    process.stdout.write(`W1 and the engine: ${ran.length} trials, ${compared} changes compared, 0 disagreements\n`)
  })
})
