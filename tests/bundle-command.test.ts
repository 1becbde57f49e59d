import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, closeSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/landfall.ts'

/** `landfall bundle` as a process: what only the command line and the shell decide. */
const landfall = (args: readonly string[], stdout: 'pipe' | number = 'pipe') => {
  const argv = [join(root, 'scripts/landfall.ts'), ...args]
  // No PATH: nothing is started, Git least of all.
  return spawnSync(process.execPath, argv, { env: {}, encoding: 'utf8', stdio: ['ignore', stdout, 'pipe'] })
}

const newSkill = () => {
  const base = mkdtempSync(join(tmpdir(), 'landfall-bundle-cli-'))
  const skill = join(base, 'skill')
  mkdirSync(skill)
  writeFileSync(join(skill, 'SKILL.md'), '# Skill\n')
  return { base, skill, [Symbol.dispose]: () => rmSync(base, { recursive: true }) }
}

it('answers with 0, 1 and 2', () => {
  using folder = newSkill()
  const manifest = join(folder.base, 'm.json')
  const first = landfall(['bundle', folder.skill, '--json'])
  expect(first).toMatchObject({ status: 0, stderr: '' })
  writeFileSync(manifest, first.stdout)
  expect(landfall(['bundle', folder.skill, '--against', manifest]).status).toBe(0)
  writeFileSync(join(folder.skill, 'SKILL.md'), '# Skull\n')
  const changed = landfall(['bundle', folder.skill, '--against', manifest])
  expect(changed).toMatchObject({ status: 1, stderr: '' })
  expect(changed.stdout).toContain('CHANGED "SKILL.md"')
  expect(landfall(['bundle', join(folder.base, 'nowhere')])).toMatchObject({ status: 2, stdout: '' })
}, 60_000)

it('notices that the shell has put its output into the directory', () => {
  using folder = newSkill()
  const target = openSync(join(folder.skill, 'manifest.json'), 'w')
  const { status, stderr } = landfall(['bundle', folder.skill], target)
  closeSync(target)
  expect([status, stderr]).toEqual([2, expect.stringContaining('outside the skill directory')])
}, 60_000)

/** Programs that never stop changing the skill, and say when they have begun. */
const busy = {
  'a file that changes': `for (let n = 0; ; n += 1) { fs.writeFileSync('data.txt', String(n % 2)); if (n === 0) say() }`,
  'a directory that a link takes the place of, now and then': `
    for (let n = 0; ; n += 1) {
      fs.renameSync('refs', '../aside'); fs.symlinkSync('../aside', 'refs')
      fs.unlinkSync('refs'); fs.renameSync('../aside', 'refs'); if (n === 0) say()
    }`,
}

it.each(Object.entries(busy))(
  'ends with 2 and no manifest for %s while it is read',
  async (_what, program) => {
    using folder = newSkill()
    mkdirSync(join(folder.skill, 'refs'))
    writeFileSync(join(folder.skill, 'refs/a.txt'), 'a')
    const script = `const fs = require('node:fs'); const say = () => fs.writeSync(1, 'begun'); ${program}`
    const child = spawn(process.execPath, ['-e', script], {
      cwd: folder.skill,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await once(child.stdout, 'data')
      // A busy machine may stop the other program for the whole of a reading, which then has nothing to notice.
      let ended = landfall(['bundle', folder.skill, '--json'])
      for (let again = 0; again < 9 && ended.status === 0; again += 1)
        ended = landfall(['bundle', folder.skill, '--json'])
      expect(ended).toMatchObject({ status: 2, stderr: '' })
      expect(JSON.parse(ended.stdout)).toEqual({
        schema: 'skills-anywhere-bundle-error-1',
        error: expect.stringMatching(/Changed during inspection|links are not supported/) as string,
      })
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  },
  60_000,
)

it('ends with 2 and no manifest for a socket', async () => {
  using folder = newSkill()
  const server = createServer().listen(join(folder.skill, 's'))
  await once(server, 'listening')
  const { status, stdout, stderr } = landfall(['bundle', folder.skill])
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('regular files')])
  server.close()
  await once(server, 'close')
}, 60_000)

it.each([
  [['bundle', '--json']],
  [['bundle', 'a', 'b', '--json']],
  [['bundle', 'a', '--jsno', '--json']],
  [['bundle', 'a', '--json', '--against']],
])(
  'calls %j a usage error, in JSON',
  (args) => {
    const { status, stdout, stderr } = landfall(args)
    expect([status, stderr]).toEqual([2, ''])
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'skills-anywhere-bundle-error-1' })
  },
  60_000,
)

it('is in the help', () => {
  expect(landfall(['--help']).stdout).toContain('bundle [options] <dir>')
  expect(landfall(['bundle', '--help']).stdout).toContain('--against')
}, 60_000)
