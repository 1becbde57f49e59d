import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { stdioTarget } from './testing/clients.ts'
import { legacyRequest, modernRequest } from './testing/requests.ts'

/** The server over stdin and stdout, as a client's parent process sees it. */
function start(args: readonly string[] = []) {
  const target = stdioTarget(args, { LOG_LEVEL: 'info' })
  const child = spawn(process.execPath, target.args, { env: target.env, stdio: ['pipe', 'pipe', 'pipe'] })
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    exit,
    answers: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    said: text(child.stderr),
  }
}

async function next(answers: ReturnType<typeof start>['answers']): Promise<unknown> {
  const { value = '' } = await answers.next()
  return JSON.parse(value)
}

describe('stdio', { timeout: 30_000 }, () => {
  it.each([
    ['modern', modernRequest],
    ['legacy', legacyRequest],
  ])('answers a %s client after lines that mean nothing, and ends with its input', async (_era, request) => {
    const { child, exit, answers, said } = start()
    child.stdin.write('garbage\n{"jsonrpc":\n\n[]\n{"a":1}\n')
    const unreadable = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }
    expect(await next(answers)).toEqual(unreadable)
    expect(await next(answers)).toEqual(unreadable)
    child.stdin.write(`${request('skills/get', { uri: 'skill://auto-format/SKILL.md' }).body}\n`)
    expect(await next(answers)).toMatchObject({ id: 1, result: { skill: { uri: 'skill://auto-format/SKILL.md' } } })
    child.stdin.end()
    expect(await exit).toBe(0)
    expect((await said).match(/message turned away/g)).toHaveLength(4)
  })

  it('ends in order on SIGTERM', async () => {
    const { child, exit, answers } = start(['--adversarial', '--revision', 'stable'])
    child.stdin.write(`${modernRequest('skills/list').body}\n`)
    await next(answers)
    const started = performance.now()
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('says what it cannot serve, and nothing on stdout', async () => {
    const { child, exit, said } = start(['--fixture', 'adv-not-there'])
    const out = text(child.stdout)
    expect(await exit).toBe(1)
    expect(JSON.parse(await said)).toMatchObject({ code: 'usage', reason: 'No such fixture: adv-not-there' })
    expect(await out).toBe('')
  })
})
