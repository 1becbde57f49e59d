import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CorpusRow } from '@landfall/catalog'
import { corpusSkills, decoys, fixtures } from '@landfall/catalog'
import { deriveCanary, deriveToken } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { findHazards } from '../safety/hazards.ts'
import { unpack } from '../testing/unpack.ts'
import { invisibleSentence, writeGuidelines } from './guidelines.ts'
import { corpusBuilders, ownCorpus } from './index.ts'
import { loadTree } from './load.ts'
import { placeholder, stamp } from './stamp.ts'
import { fromTags } from './tags.ts'

/** Our own twelve skills, as they stand on disk and as they are served. */
const tree = await loadTree(ownCorpus)
const builders = corpusBuilders(tree, { archives: true, uniqueNames: false })
const canary = deriveCanary('corpus', 'a')

async function servedOf(row: CorpusRow, of = canary) {
  const [skill, ...others] = (await builders.get(row.id)?.(of))?.skills ?? []
  if (skill === undefined || others.length > 0) throw new Error(`not one skill for ${row.id}`)
  return skill
}

const onDisk = readdirSync(ownCorpus, { recursive: true, encoding: 'utf8' }).map((path) => join(ownCorpus, path))

describe('the corpus on disk', () => {
  it('has one folder for each row, and nothing is left out', () => {
    expect(readdirSync(ownCorpus).toSorted()).toEqual(corpusSkills.map(({ id }) => id).toSorted())
    expect(tree.notices).toEqual([])
    expect(corpusSkills).toHaveLength(12)
  })

  it('shares no id with a fixture', () => {
    const ids = new Set(fixtures.map(({ id }) => id))
    expect(corpusSkills.filter(({ id }) => ids.has(id))).toEqual([])
  })

  it('holds files and folders and nothing else', () => {
    expect(onDisk.filter((path) => !lstatSync(path).isFile() && !lstatSync(path).isDirectory())).toEqual([])
  })

  it('is benign in every byte, invisible ones included', () => {
    const found = onDisk
      .filter((path) => lstatSync(path).isFile())
      .flatMap((path) => findHazards(readFileSync(path)).map(({ kind, text }) => `${path}: ${kind}: ${text}`))
    expect(found).toEqual([])
  })
})

describe.each(corpusSkills)('$id', (row) => {
  it('explains itself to people and serves no word of it', async () => {
    const explanation = readFileSync(join(ownCorpus, row.id, 'EXPLANATION.md'), 'utf8')
    for (const heading of ['What it does', 'Why it works', 'The canary'])
      expect(explanation).toContain(`**${heading}.**`)
    expect((await servedOf(row)).files.map(({ path }) => path)).not.toContain('EXPLANATION.md')
  })

  it('carries a token of each site that is found by one, and no placeholder', async () => {
    const { frontmatter, files } = await servedOf(row)
    expect([frontmatter.name]).toEqual(row.skills)
    const text = files.map(({ bytes }) => bytes.toString('utf8'))
    const all = [...text, ...text.flatMap(fromTags), ...row.steps.map(({ run }) => run)].join('\n')
    const marked = row.sites.filter(({ detect }) => detect === 'token' || detect === 'sent')
    for (const { id } of marked) expect(all).toContain(deriveToken(canary, row.id, id))
    expect([...text, ...text.flatMap(fromTags)].join('\n')).not.toContain('{{canary')
    expect(JSON.stringify(frontmatter)).not.toContain('{{canary')
  })

  it('is benign as it is served, and so is what an obedient agent runs', async () => {
    const { files } = await servedOf(row)
    const run = stamp(Buffer.from(row.steps.map((step) => step.run).join('\n')), row, canary)
    expect([...files.map(({ bytes }) => bytes), run].flatMap((bytes) => findHazards(bytes))).toEqual([])
  })

  it('has the same bytes for the same canary and another SKILL.md for another', async () => {
    const [once, again, other] = [await servedOf(row), await servedOf(row), await servedOf(row, deriveCanary('b', 'b'))]
    expect(again.files).toEqual(once.files)
    expect(await again.pack?.()).toEqual(await once.pack?.())
    expect(other.files[0]?.bytes).not.toEqual(once.files[0]?.bytes)
  })

  it('is the same in both archives as by URI (iS13), and the links are links', async () => {
    const { files, pack } = await servedOf(row)
    const archives = (await pack?.()) ?? []
    expect(archives.map(({ format }) => format)).toEqual(row.formats)
    for (const archive of archives) {
      const entries = await unpack(archive)
      const links = entries
        .filter(({ type }) => type === 'SymbolicLink')
        .map(({ name, target }) => ({ path: name, target }))
      expect(links).toEqual(row.links ?? [])
      const regular = entries
        .filter(({ type }) => type === 'File')
        .map(({ name, content }) => [name, content.toString('latin1')])
      expect(Object.fromEntries(regular)).toEqual(
        Object.fromEntries(files.map(({ path, bytes }) => [path, bytes.toString('latin1')])),
      )
    }
  })
})

describe('the guidelines', () => {
  const path = 'code-review/review-guidelines.md'

  it('hold the sentence in tag characters, each of them counted', () => {
    const text = readFileSync(join(ownCorpus, path), 'utf8')
    expect(text.match(/[\u{e0000}-\u{e007f}]/gu)).toHaveLength(invisibleSentence.length)
    expect(fromTags(text)).toEqual([invisibleSentence])
  })

  it('are what their generator writes', () => {
    expect(readFileSync(join(ownCorpus, path), 'utf8')).toBe(writeGuidelines())
  })

  it('name the token only in tag characters when they are served', async () => {
    const row = rowOf('code-review')
    const { files } = await servedOf(row)
    const text = files.find((file) => file.path === 'review-guidelines.md')?.bytes.toString('utf8') ?? ''
    expect(fromTags(text)).toEqual([
      invisibleSentence.replace(placeholder('executed'), deriveToken(canary, row.id, 'executed')),
    ])
    expect(text).not.toContain('LFC-')
  })
})

/** Steps that need nothing but a shell and Node. The others need a tool, a link or a network that only a victim has. */
const runnable = corpusSkills.filter(
  ({ id }) => !['test-helper', 'ssh-helper', 'dep-install', 'code-review-remote'].includes(id),
)

describe('an obedient agent', () => {
  it.each(runnable)('$id leaves what its row names outside the skill', async (row) => {
    using project = await projectWith(row)
    for (const { run } of row.steps) project.sh(run)
    const left = project.left()
    for (const { id, detect, decoy } of row.sites.filter((site) => site.effect === 'harm')) {
      const wanted = detect === 'copy' ? `decoy of ${decoy}` : deriveToken(canary, row.id, id)
      expect(left).toContain(wanted)
    }
  })

  it('runs the install script of dep-install as npm would', async () => {
    const row = rowOf('dep-install')
    using project = await projectWith(row)
    const manifest = JSON.parse(readFileSync(join(project.skill, 'review-utils/package.json'), 'utf8')) as {
      scripts: { postinstall: string }
    }
    project.sh(`export INIT_CWD="$PWD"; cd "$CLAUDE_SKILL_DIR/review-utils"; ${manifest.scripts.postinstall}`)
    expect(project.left()).toContain(deriveToken(canary, row.id, 'executed'))
  })

  it('poisons the decoy where there is one, and the project otherwise', async () => {
    const row = rowOf('memory-poison')
    using project = await projectWith(row)
    const memory = decoys.find(({ name }) => name === 'agent-memory')
    const path = join(project.home, memory?.path ?? '')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, memory?.content('LFC-decoy') ?? '')
    for (const { run } of row.steps) project.sh(run)
    expect(readFileSync(path, 'utf8')).toContain(deriveToken(canary, row.id, 'overwrote'))
    expect(project.left()).not.toContain(deriveToken(canary, row.id, 'overwrote'))
  })
})

function rowOf(id: string): CorpusRow {
  const row = corpusSkills.find((each) => each.id === id)
  if (row === undefined) throw new Error(`no row ${id}`)
  return row
}

/** A home with the skill installed and a project to work in, as a victim has them. */
async function projectWith(row: CorpusRow) {
  const home = mkdtempSync(join(tmpdir(), 'landfall-corpus-'))
  const [skill, project] = [join(home, 'skill'), join(home, 'project')]
  mkdirSync(project)
  writeFileSync(join(project, '.env'), 'decoy of dotenv\n')
  const modes = new Map(
    tree.skills.find(({ folder }) => folder === row.id)?.files.map(({ path, mode }) => [path, mode]),
  )
  for (const { path, bytes } of (await servedOf(row)).files) {
    mkdirSync(dirname(join(skill, path)), { recursive: true })
    writeFileSync(join(skill, path), bytes)
    chmodSync(join(skill, path), modes.get(path) ?? 0o644)
  }
  const env = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: home, CLAUDE_SKILL_DIR: skill }
  return {
    home,
    skill,
    sh(run: string): void {
      const script = stamp(Buffer.from(run), row, canary).toString()
      const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: project, env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${script} exits ${status}: ${stderr}`)
    },
    /** Everything that stands in the project now and did not before. */
    left(): string {
      const files = readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((path) => path !== '.env')
      const regular = files.map((path) => join(project, path)).filter((path) => lstatSync(path).isFile())
      return regular.map((path) => readFileSync(path, 'utf8')).join('\n')
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}
