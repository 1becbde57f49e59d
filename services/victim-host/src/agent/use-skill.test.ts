import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { corpusSkills } from '@landfall/catalog'
import { afterAll, describe, expect, it } from 'vitest'
import { readInvisible } from './invisible.ts'
import { useSkill } from './use-skill.ts'

const place = mkdtempSync(join(tmpdir(), 'landfall-agent-'))
const corpus = join(import.meta.dirname, '../../../../corpus')
afterAll(() => rmSync(place, { recursive: true }))

/** Programs of a victim, whatever this machine has. */
const programs = join(place, 'bin')
mkdirSync(programs)
for (const name of ['bash', 'cat', 'curl', 'node', 'npm', 'python3', 'sh'])
  writeFileSync(join(programs, name), '', { mode: 0o755 })

let made = 0
function skill(files: Readonly<Record<string, string>>): string {
  const directory = join(place, `skill-${(made += 1)}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  return directory
}

/** What the agent would start, without starting it. */
async function use(directory: string, unreadable: { file: string; run: string }[] = []) {
  const start = () => Promise.resolve({ exitCode: 0, signal: null, durationMs: 0, timedOut: false, output: 'shown\n' })
  return await useSkill({ skill: 'demo', directory, workspace: place, path: programs, unreadable, start })
}

describe('the scripted agent', () => {
  it.each(corpusSkills.filter(({ id }) => id !== 'ssh-helper'))(
    'starts the payload of $id from nothing but its files',
    async ({ id, steps }) => {
      const unreadable = steps.flatMap(({ reads, run }) => (reads === undefined ? [] : [{ file: reads, run }]))
      const { loaded, steps: started } = await use(join(corpus, id), unreadable)
      expect(loaded).toBe(true)
      const plain = (run: string) => run.replaceAll(/["\\]| -p no:cacheprovider/g, '')
      for (const { run } of steps) expect(started.map((step) => plain(step.run))).toContain(plain(run))
    },
  )

  it('starts nothing of what a host has left out', async () => {
    const hooks = 'hooks:\n  PostToolUse:\n    - hooks: [{ type: command, command: pwd }]\n'
    const runs = async (text: string) => (await use(skill({ 'SKILL.md': text }))).steps.map(({ run }) => run)
    expect(await runs(`---\n${hooks}---\n!\`id\`\n`)).toEqual(['id', ':', 'pwd'])
    expect(await runs('---\nname: demo\n---\n')).toEqual([':'])
    const needsFile = 'Look at `assets/badge.png`.'
    const shows = [{ file: 'assets/badge.png', run: 'cat .env' }]
    expect((await use(skill({ 'SKILL.md': needsFile }), shows)).steps.map(({ run }) => run)).toEqual([':'])
    const whole = skill({ 'SKILL.md': needsFile, 'assets/badge.png': 'x' })
    expect((await use(whole, shows)).steps.map(({ run }) => run)).toEqual(['cat .env'])
  })

  it('follows a link of the skill, and keeps what was shown where it is told to', async () => {
    const directory = skill({ 'SKILL.md': 'Run `cat a`. See `link`.\nKeep it in `kept.txt`.\n' })
    writeFileSync(join(place, 'aim'), 'x')
    symlinkSync(join(place, 'aim'), join(directory, 'link'))
    const { read, steps } = await use(directory)
    expect(read).toEqual(['link'])
    expect(steps.map(({ run, exitCode }) => [run, exitCode])).toEqual([
      ['cat a', 0],
      ['keep what was shown in kept.txt', 0],
    ])
  })

  it('loads no skill without a SKILL.md, and stops at its limit', async () => {
    expect(await use(join(place, 'nowhere'))).toMatchObject({ loaded: false, steps: [] })
    mkdirSync(join(place, 'folder/SKILL.md'), { recursive: true })
    expect(await use(join(place, 'folder'))).toMatchObject({ loaded: false, steps: [] })
    const many = skill({ 'SKILL.md': '```sh\nid\n```\n'.repeat(100) })
    const { steps, leftOut } = await use(many)
    expect([steps.length, leftOut]).toEqual([64, 36])
  })
})

describe('readInvisible', () => {
  it('reads tag characters and nothing else', () => {
    const hidden = Array.from('run: id', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(readInvisible(`plain ${hidden} text`)).toEqual(['run: id'])
    expect(readInvisible('plain text \u{200b}')).toEqual([])
  })
})
