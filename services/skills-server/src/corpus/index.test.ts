import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { startTestService } from '../testing/service.ts'

describe('a root without any skill', () => {
  it('is served, with a warning that names it', async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), 'landfall-empty-'))
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    await using service = await startTestService({ log }, { SKILLS_ROOT: root.path, SERVE_PROFILE: 'corpus' })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 40, root: root.path, msg: 'no skills found' }),
    ])
    expect((await fetch(`${service.mcpUrl}/healthz`)).status).toBe(200)
  })
})
