import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BundleFlags } from './bundle-command.ts'
import { bundleCommand } from './bundle-command.ts'

/** A skill of two files, and room beside it. */
const newSkill = () => {
  const base = mkdtempSync(join(tmpdir(), 'landfall-bundle-command-'))
  const root = join(base, 'skill')
  mkdirSync(join(root, 'scripts'), { recursive: true })
  writeFileSync(join(root, 'SKILL.md'), '# Skill\n')
  writeFileSync(join(root, 'scripts/run.sh'), 'echo 1\n')
  return { base, root, manifest: join(base, 'm.json'), [Symbol.dispose]: () => rmSync(base, { recursive: true }) }
}

const run = async (directory: string, flags: BundleFlags = {}, targetFile?: string) => {
  let [out, err] = ['', '']
  const output = { out: (text: string) => (out += text), err: (text: string) => (err += text) }
  const target = targetFile === undefined ? {} : { target: statSync(targetFile, { bigint: true }) }
  return { code: await bundleCommand(directory, flags, { ...output, ...target }), out, err }
}

/** The skill with its manifest written beside it. */
const reviewedSkill = async () => {
  const skill = newSkill()
  writeFileSync(skill.manifest, (await run(skill.root, { json: true })).out)
  return skill
}

describe('landfall bundle DIR', () => {
  it('prints the manifest, indented by two', async () => {
    using skill = newSkill()
    const { code, out, err } = await run(skill.root, { json: true })
    expect([code, err]).toEqual([0, ''])
    expect(out).toBe(`${JSON.stringify(JSON.parse(out), null, 2)}\n`)
    expect(JSON.parse(out)).toMatchObject({
      schema: 'skills-anywhere-bundle-1',
      total_bytes: 15,
      files: [{ path: 'SKILL.md' }, { path: 'scripts/run.sh' }],
    })
  })

  it('tells people the digest, the count, the bytes and what it does not mean', async () => {
    using skill = newSkill()
    const { sha256 } = JSON.parse((await run(skill.root, { json: true })).out) as { sha256: string }
    const { code, out } = await run(skill.root)
    expect(code).toBe(0)
    expect(out).toContain(`${sha256}\n2 files, 15 bytes in "`)
    expect(out).toContain('says nothing of who wrote them')
  })
})

describe('landfall bundle DIR --against FILE', () => {
  it('says that nothing differs', async () => {
    using skill = await reviewedSkill()
    expect(await run(skill.root, { against: skill.manifest })).toMatchObject({ code: 0, err: '' })
    const { code, out } = await run(skill.root, { against: skill.manifest, json: true })
    const shown = JSON.parse(out) as Record<string, unknown>
    expect(code).toBe(0)
    const differences = ['added', 'removed', 'changed']
    const keys = ['schema', 'matches', 'expected_sha256', 'actual_sha256', ...differences, 'manifest']
    expect(Object.keys(shown)).toEqual(keys)
    expect(shown).toMatchObject({ matches: true, added: [], removed: [], changed: [] })
    expect(shown['expected_sha256']).toBe(shown['actual_sha256'])
  })

  it('lists what was added, removed and changed, and hides nothing in a path', async () => {
    using skill = await reviewedSkill()
    writeFileSync(join(skill.root, 'scripts/run.sh'), 'echo 2\n')
    rmSync(join(skill.root, 'SKILL.md'))
    writeFileSync(join(skill.root, 'SKILL.md'), '# Skill\n')
    writeFileSync(join(skill.root, 'new\u202Ehs.\u009b31m'), '')
    const people = await run(skill.root, { against: skill.manifest })
    expect(people.code).toBe(1)
    expect(people.out).toContain('ADDED "new\\u202ehs.\\u009b31m"\nCHANGED "scripts/run.sh"\n')
    const { code, out } = await run(skill.root, { against: skill.manifest, json: true })
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      schema: 'skills-anywhere-bundle-comparison-1',
      matches: false,
      added: ['new\u202Ehs.\u009b31m'],
      removed: [],
      changed: ['scripts/run.sh'],
    })
    rmSync(join(skill.root, 'scripts'), { recursive: true })
    expect((await run(skill.root, { against: skill.manifest })).out).toContain('REMOVED "scripts/run.sh"\n')
  })

  it('knows the directory again when it was copied, whatever its modes', async () => {
    using skill = await reviewedSkill()
    execFileSync('cp', ['-r', skill.root, join(skill.base, 'copy')])
    execFileSync('chmod', ['-R', '700', join(skill.base, 'copy')])
    expect((await run(join(skill.base, 'copy'), { against: skill.manifest })).code).toBe(0)
  })
})

describe('everything that keeps it from knowing ends with 2', () => {
  const failures: Readonly<Record<string, (skill: ReturnType<typeof newSkill>) => [string, BundleFlags, string?]>> = {
    'links are not supported': ({ root }) => {
      symlinkSync('SKILL.md', join(root, 'link'))
      return [root, {}]
    },
    'regular files': ({ root }) => {
      execFileSync('mkfifo', [join(root, 'pipe')])
      return [root, {}]
    },
    'No such directory': ({ base }) => [join(base, 'nowhere'), {}],
    'choose a directory': ({ manifest }) => [manifest, {}],
    'No such manifest': ({ base, root }) => [root, { against: join(base, 'nowhere') }],
    'outside the skill directory': ({ root }) => [root, { against: join(root, 'SKILL.md') }],
    'outside the skill directory, and is "linked.json"': ({ root, manifest }) => {
      linkSync(manifest, join(root, 'linked.json'))
      return [root, { against: manifest }]
    },
    'outside the skill directory, and is "out.json"': ({ root }) => {
      writeFileSync(join(root, 'out.json'), '')
      return [root, {}, join(root, 'out.json')]
    },
    'is not JSON': ({ root, manifest }) => {
      writeFileSync(manifest, '{')
      return [root, { against: manifest }]
    },
    '1 MiB': ({ root, manifest }) => {
      writeFileSync(manifest, ' '.repeat(1024 * 1024 + 1))
      return [root, { against: manifest }]
    },
  }

  it.each(Object.keys(failures))('%s', async (reason) => {
    using skill = await reviewedSkill()
    const [directory, flags, target] = failures[reason]?.(skill) ?? ['', {}]
    const people = await run(directory, flags, target)
    expect(people).toMatchObject({ code: 2, out: '' })
    expect(people.err).toMatch(/^Bundle check failed: ".*"\n$/)
    expect(JSON.parse(people.err.replace('Bundle check failed: ', ''))).toContain(reason)

    const program = await run(directory, { ...flags, json: true }, target)
    expect(program).toMatchObject({ code: 2, err: '' })
    expect(program.out.split('\n')).toHaveLength(2)
    const shown = JSON.parse(program.out) as { error: string }
    expect(shown).toEqual({
      schema: 'skills-anywhere-bundle-error-1',
      error: expect.stringContaining(reason) as string,
    })
  })
})
