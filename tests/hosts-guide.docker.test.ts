import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { root, Workplace } from './support/landfall.ts'

/** docs/hosts.md, followed to the letter: its files are written, its commands are run. */
const guide = await readFile(join(root, 'docs/hosts.md'), 'utf8')
const blocks = [...guide.matchAll(/^ *```(\w+)(?: (\S+))?\n([\s\S]*?)^ *```$/gm)].map(([, language, file, text]) => ({
  language,
  file,
  text: (text ?? '').replaceAll(/^ {3}/gm, ''),
}))
const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [{ file, text }]))
const commands = blocks.flatMap(({ language, file, text }) =>
  language === 'sh' && file === undefined ? text.trim().split('\n') : [],
)

/** The folder of the guide, in the checkout where its commands expect it. */
async function withFolder(work: () => Promise<void>): Promise<void> {
  const folder = join(root, 'my-hosts')
  await mkdir(folder)
  try {
    await work()
  } finally {
    await rm(folder, { recursive: true })
  }
}

const sh = async (command: string) =>
  await execa('sh', ['-c', command], { cwd: root, reject: false, all: true, stdin: 'ignore' })

type Done = Awaited<ReturnType<typeof sh>>
/** What a failed assertion shows: the command said why on its other stream. */
const told = ({ all, exitCode }: Done) => `it ended with ${exitCode} and said:\n${all}`

describe('the guide to a host of your own', () => {
  it('works as it is written, and says what is missing when something is', async () => {
    expect(files.map(({ file }) => file)).toEqual([
      'my-hosts/Dockerfile',
      'my-hosts/two-step-tar',
      'my-hosts/two-step-tar.yaml',
    ])
    const [check = '', run = ''] = commands
    expect(commands).toHaveLength(2)
    await using place = await Workplace.create()
    await withFolder(async () => {
      for (const { file, text } of files) {
        await mkdir(dirname(join(root, file)), { recursive: true })
        await writeFile(join(root, file), text)
      }
      const checked = await sh(check)
      expect(checked.stdout, told(checked)).toContain('ok    version: two-step-tar 1')
      expect(checked.stdout, told(checked)).toContain('ok    tar.gz as agent: installed all 3 files')
      expect(checked.stdout, told(checked)).toContain('ok    tar.gz as root: installed all 3 files')
      expect(checked.exitCode, told(checked)).toBe(0)

      const ran = await sh(`${run} --results ${place.results}`)
      expect(ran.exitCode, told(ran)).toBe(0)
      const { trials, run: info } = await place.readResults()
      const own = trials.filter(({ host }) => host === 'two-step-tar')
      expect(own.map(({ fixture }) => fixture)).toContain('adv-archive-traversal')
      expect(own.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
      expect(info.hosts['two-step-tar']).toEqual({ version: 'two-step-tar 1' })
      const log = join(place.results, info.id, own[0]?.evidence ?? '', 'install.stdout.log')
      expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({ version: 'two-step-tar 1' })
      expect(info.images['victim-host']).toMatch(/^sha256:/)
      expect(info.images['victim-host']).not.toBe(info.images['victim-host-base'])

      const listed = await sh('npm run landfall -- hosts --hosts-dir my-hosts')
      expect(listed.stdout, told(listed)).toMatch(
        /^two-step-tar \* +installer +tar\.gz +two-step-tar 1 +Two-step tar$/m,
      )

      await breakAndCheck(check)
    })
  })
})

/** Two mistakes that people make; the sentences of the others are check-findings.test.ts's. */
async function breakAndCheck(check: string): Promise<void> {
  const profile = join(root, 'my-hosts/two-step-tar.yaml')
  const good = await readFile(profile, 'utf8')
  const expectFailure = async (text: string, sentence: RegExp, exitCode = 1) => {
    await writeFile(profile, text)
    const failed = await sh(check)
    expect(failed.all, told(failed)).toMatch(sentence)
    expect(failed.exitCode, told(failed)).toBe(exitCode)
  }
  await expectFailure(good.replace('{dest}', '{dst}'), /two-step-tar\.yaml:8:\d+: .*unknown placeholder \{dst\}/, 2)
  await expectFailure(
    good.replace(`run: [two-step-tar, '{archive}', '{dest}']`, `run: [three-step-tar, '{archive}', '{dest}']`),
    /three-step-tar was not found in the victim/,
  )
}
