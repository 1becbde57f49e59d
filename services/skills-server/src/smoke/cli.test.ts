import { fixtures } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { startTestService } from '../testing/service.ts'
import { main } from './cli.ts'

async function run(...argv: string[]): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = []
  const code = await main(argv, { write: (line) => void lines.push(line), env: process.env })
  return { code, lines }
}

describe('npm run smoke', { timeout: 60_000 }, () => {
  it('passes on the corpus over stdio, with a server that it starts itself', async () => {
    const { code, lines } = await run()
    expect(lines.filter((line) => !line.startsWith('PASS'))).toEqual([`${lines.length - 1} checks, 0 failed`])
    expect(code).toBe(0)
  })

  it('passes on a running server over HTTP', async () => {
    await using service = await startTestService({}, { SERVE_PROFILE: 'corpus' })
    const { code, lines } = await run('--http', `${service.mcpUrl}/mcp`)
    expect(lines.at(-1)).toBe('34 checks, 0 failed')
    expect(code).toBe(0)
  })

  it.each(['stdio', 'http'])('tells the oracle of every fixture and shows a rotation, over %s', async (transport) => {
    await using service = await startTestService()
    const { code, lines } = await run(
      '--adversarial',
      ...(transport === 'http' ? ['--http', `${service.mcpUrl}/mcp`] : []),
    )
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([])
    const text = lines.join('\n')
    for (const { id, oracle } of fixtures) {
      expect(text).toContain(id)
      expect(text).toContain(oracle)
    }
    expect(text).toMatch(/PASS +modern stable +rotation +stated \w+, first read \w+, second read \w+/)
    expect(code).toBe(0)
  })

  it('says in one line that nothing listens and exits 1, and 2 is left to a command line that cannot be used', async () => {
    const stopped = await startTestService()
    await stopped.stop()
    const url = `${stopped.mcpUrl}/mcp`
    expect(await run('--http', url)).toEqual({ code: 1, lines: [`FAIL  ${url} cannot be reached: ECONNREFUSED`] })
    await expect(run('--http', 'ftp://x')).rejects.toMatchObject({ code: 'usage' })
    await expect(run('--revision', 'none')).rejects.toMatchObject({ code: 'usage' })
    expect((await run('--help')).code).toBe(0)
  })
})
