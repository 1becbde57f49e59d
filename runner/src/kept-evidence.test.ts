import { createHash } from 'node:crypto'
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change, Observation } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { fetchEvidence } from './kept-evidence.ts'
import { sampleObservation } from './testing/samples.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const stored = (text: string) => ({ sha256: digest(text), size: text.length })

/** An observer that has some contents, and gives wrong bytes for one. */
async function observer(contents: Record<string, string>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const sha256 = (request.url ?? '').split('/').at(-1) ?? ''
    asked.push(sha256)
    const body = contents[sha256]
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () => new Promise<void>((done) => void server.close(() => done()))
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: close }
}

function observationOf(texts: string[]): Observation {
  const changes = texts.map((text): Change => {
    const entry = {
      type: 'file' as const,
      mode: 0o644,
      uid: 0,
      gid: 0,
      size: text.length,
      links: 1,
      dev: '1',
      ino: '1',
    }
    const path = `/${text}`
    return { kind: 'added', path, after: { path, ...entry, mtimeNs: '0', ctimeNs: '0', sha256: digest(text) } }
  })
  return { ...sampleObservation, changes, evidence: { stored: texts.map(stored), notStored: [], moreNotStored: 0 } }
}

describe('fetchEvidence', () => {
  it('writes every content once, under its digest', async () => {
    await using run = await mkdtempDisposable(join(tmpdir(), 'landfall-run-'))
    await using kept = await observer({ [digest('a')]: 'a', [digest('b')]: 'b' })
    const seen = observationOf(['a', 'b'])
    expect(await fetchEvidence(seen, kept.url, run.path)).toBe(seen)
    expect((await readdir(join(run.path, 'evidence'))).toSorted()).toEqual([digest('a'), digest('b')].toSorted())
    expect(await readFile(join(run.path, 'evidence', digest('a')), 'utf8')).toBe('a')
    await fetchEvidence(observationOf(['a']), kept.url, run.path)
    expect(kept.asked).toHaveLength(2)
  })

  it('does not claim what is gone, or what is not what its name says', async () => {
    await using run = await mkdtempDisposable(join(tmpdir(), 'landfall-run-'))
    await using kept = await observer({ [digest('a')]: 'a', [digest('wrong')]: 'other bytes' })
    const { evidence } = await fetchEvidence(observationOf(['a', 'gone', 'wrong']), kept.url, run.path)
    expect(evidence.stored).toEqual([stored('a')])
    expect(evidence.notStored).toEqual([
      { path: '/gone', size: 4, reason: 'failed' },
      { path: '/wrong', size: 5, reason: 'failed' },
    ])
    expect(await readdir(join(run.path, 'evidence'))).toEqual([digest('a')])
  })

  it('does not need an observer when there is nothing to fetch', async () => {
    expect(await fetchEvidence(sampleObservation, 'http://127.0.0.1:1', '/nowhere')).toBe(sampleObservation)
  })
})
