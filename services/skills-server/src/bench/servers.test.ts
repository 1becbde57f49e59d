import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const textOf = async (path: string) => await readFile(join(root, path), 'utf8')

describe('what the bench measures', () => {
  it.each(['services/skills-server/Dockerfile', 'deploy/hf-space/Dockerfile'])('is what %s runs', async (path) => {
    const [, flag] = /'serve-http': \['(--max-semi-space-size=\d+)'\]/.exec(await textOf('scripts/start.mjs')) ?? []
    expect(flag).toBeDefined()
    const lines = await textOf(path)
    expect(lines).toContain(flag)
    // Compiled while the image is built, by the user who runs it.
    expect(lines).toMatch(/ENV NODE_COMPILE_CACHE=.*USER 1000:1000\nRUN node services\/skills-server\/src\/main\.ts/s)
  })
})
