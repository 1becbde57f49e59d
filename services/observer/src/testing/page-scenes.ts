import { createHash } from 'node:crypto'
import type { Change, Entry, Processes } from '@landfall/contracts'
import { decoys, fixtures } from '@landfall/catalog'
import { toWirePath } from '@landfall/contracts'
import type { Narrator } from '../narrator.ts'

/** What tests of the page show: states of trials as they come from the observer. */

const home = '/home/agent'

export function entryOf(path: string, some: Partial<Entry> = {}): Entry {
  const rest = { mode: 0o644, uid: 1000, gid: 1000, size: 0, links: 1, dev: '1', ino: '1', mtimeNs: '0', ctimeNs: '0' }
  return { path, type: 'file', ...rest, ...some }
}

export function added(path: string, content: string | Buffer = '', some: Partial<Entry> = {}): Change {
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { kind: 'added', path, after: entryOf(path, { size: bytes.length, sha256, ...some }) }
}

export const wirePath = (text: string): string => toWirePath(Buffer.from(text))

export const manual = {
  trial: 'manual',
  entries: 9_512,
  fixtures: [],
  decoys: decoys.map(({ name, path }) => ({ name, path: `${home}/${path}` })),
  rounds: true,
}

export const sampled: Processes = {
  how: 'sampled',
  intervalMs: 100,
  samples: 412,
  largestGapMs: 131.7,
  costMs: 210,
  unlisted: 0,
  list: [
    {
      pid: 7,
      ppid: 0,
      name: 'sleep',
      commands: [{ argv: ['sleep', 'infinity'], exe: '/usr/bin/sleep' }],
      uid: 1000,
      before: true,
      firstSeenMs: 0,
      lastSeenMs: 41_000,
      cpuSeconds: 0,
      peakBytes: 1_900_000,
      writtenBytes: 0,
    },
    {
      pid: 21,
      ppid: 7,
      name: 'node',
      commands: [
        {
          argv: ['node', '/app/landfall-host', 'install', 'adv-zip-traversal', '--host', 'naive', '<b>x</b>%E2%80%AE'],
        },
      ],
      uid: 1000,
      firstSeenMs: 12_300,
      lastSeenMs: 12_900,
      cpuSeconds: 0.41,
      peakBytes: 81_000_000,
      writtenBytes: 40_960,
    },
  ],
  totals: {
    cpuSeconds: 0.44,
    peakProcessBytes: 81_000_000,
    peakSumBytes: 99_000_000,
    peakProcesses: 5,
    writtenBytes: 52_344,
    diskBytes: 49_152,
    tmpfsBytes: 0,
    tmpfsInodes: 0,
  },
}

/** Names that a hostile skill could choose. */
export const hostileNames = [
  '<script>document.title="owned"<script>',
  '<img src=x onerror=alert(1)>',
  'photo\u202egpj.exe',
  'zero\u200bwidth',
  '\u0001\u0002\u001b[31mred\u0007',
  'two\nlines',
  ' leading and trailing ',
  'a'.repeat(255),
  '\u0005'.repeat(255),
  '\u05e9\u05dc\u05d5\u05dd.txt',
  `z${'\u0301'.repeat(80)}algo`,
  '"quoted" & \'apostrophes\'',
]

/** The files of a naive host that installed a traversal, and their sentences. */
export function tellLanding(narrator: Narrator, write: (path: string, content: string) => void): void {
  const row = fixtures.find(({ id }) => id === 'adv-zip-traversal')
  const token = `LFC-${'0123456789abcdef'.repeat(2)}`
  const skill = `${home}/.agents/skills/adv-zip-traversal`
  const files: [string, string][] = [
    [`${skill}/SKILL.md`, `---\nname: adv-zip-traversal\n---\n\n# A skill\n\n${token}\n`],
    [`${home}/.agents/skills/landfall-1.txt`, `${token}\nThis is a canary. It does nothing.\n`],
    ['/tmp/landfall-absolute.txt', `${token}\n\u202eThis is a canary.\u001b[31m\r\n`],
  ]
  for (const [path, content] of files) write(path, content)
  const sites = ['inside', 'escape-relative-1', 'escape-absolute']
  narrator.seen('manual', row === undefined ? [] : [row], {
    changes: [
      ...files.map(([path, content]) => added(path, content)),
      ...[`${home}/.agents`, `${home}/.agents/skills`, skill].map((path) =>
        added(path, '', { type: 'directory', mode: 0o755 }),
      ),
      added(`${home}/link`, '', { type: 'symlink', target: '.ssh/id_rsa' }),
    ],
    sightings: files.map(([path], index) => ({
      fixture: 'adv-zip-traversal',
      site: sites[index] ?? '',
      path,
      place: 'content' as const,
    })),
    decoys: manual.decoys.map(({ name, path }) => ({
      name,
      path,
      state: name === 'dotenv' ? ('deleted' as const) : ('intact' as const),
      hardLinks: [],
      symlinks: name === 'ssh-key' ? [`${home}/link`] : [],
      copies: [],
    })),
  })
}
