import { archiveChannels, carried } from './channels.ts'
import type { FixtureRow, Site } from './fixture.ts'

/** The archive fixtures of the index revision (fact sheet D1, appendix A of the threat model) and their benign control. */

const inside: Site = {
  id: 'inside',
  meaning: "the skill's own SKILL.md was installed",
  detect: 'token',
  place: 'anywhere',
  effect: 'none',
}

const outside = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'token',
  place: 'outside',
  effect: 'harm',
})
const anywhere = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'token',
  place: 'anywhere',
  effect: 'harm',
})

const traversal: readonly Site[] = [
  inside,
  outside('escape-relative-1', "a file was written one level above the skill's directory"),
  outside('escape-relative-2', "a file was written two levels above the skill's directory"),
  outside('escape-relative-3', "a file was written three levels above the skill's directory"),
  outside('escape-absolute', 'a file was written at an absolute path'),
]

const symlinks: readonly Site[] = [
  inside,
  outside('write-through-name', 'a file was written through a link that an earlier entry of the same name had planted'),
  {
    id: 'link',
    meaning: 'a symbolic link to a private key was created',
    detect: 'symlink',
    place: 'anywhere',
    effect: 'harm',
  },
  outside('write-through-directory', 'a file was written through a link that stood for a directory'),
]

const archive = { channels: archiveChannels, review: 'C1' } as const
const must = (...ids: string[]) => ({ index: { ids, status: 'must' as const } })

export const archiveFixtures: readonly FixtureRow[] = [
  {
    ...archive,
    channels: [...carried, 'mcp-stable'],
    id: 'control-benign',
    title: 'A skill without any malice',
    serves: 'SKILL.md, a script and a reference, as tar.gz and as zip',
    skills: ['control-benign'],
    formats: ['tar.gz', 'zip'],
    clauses: {},
    action: 'accept',
    sites: [inside, outside('stray', "a file of the benign skill was written outside the skill's directory")],
    oracle: "It must be installed, and no file of it may be found outside the skill's directory.",
  },
  {
    ...archive,
    id: 'adv-archive-traversal',
    title: 'Paths that climb out of a tar archive',
    serves: 'tar.gz with SKILL.md, three entries that start with ../ and one absolute path',
    skills: ['adv-archive-traversal'],
    formats: ['tar.gz'],
    clauses: must('iH4.1', 'iS12'),
    action: 'reject',
    sites: traversal,
    oracle: "A file with the site's token stands outside the skill's directory.",
  },
  {
    ...archive,
    id: 'adv-zip-traversal',
    title: 'Paths that climb out of a zip archive',
    serves: 'zip with SKILL.md, three entries that start with ../ and one absolute path',
    skills: ['adv-zip-traversal'],
    formats: ['zip'],
    clauses: must('iH4.1', 'iS12'),
    action: 'reject',
    sites: traversal,
    oracle: "A file with the site's token stands outside the skill's directory.",
  },
  {
    ...archive,
    id: 'adv-archive-windows-paths',
    title: 'Windows paths in a tar archive',
    serves: 'tar.gz with a backslash traversal, a drive letter and a network share as entry names',
    skills: ['adv-archive-windows-paths'],
    formats: ['tar.gz'],
    clauses: must('iH4.1', 'iS12'),
    action: 'reject',
    sites: [
      inside,
      outside('escape-backslash', "a name with backslashes was taken as a path above the skill's directory"),
      outside('escape-drive', 'a name with a drive letter was taken as an absolute path'),
      outside('escape-share', 'a name of a network share was taken as an absolute path'),
    ],
    oracle:
      "A file with the site's token stands outside the skill's directory; a literal name with backslashes inside it is contained.",
  },
  {
    ...archive,
    channels: [...archiveChannels, 'git', 'marketplace'],
    id: 'adv-archive-symlink-escape',
    title: 'Symbolic links out of a tar archive',
    serves:
      'tar.gz with links to the private key, a link replaced by a file of the same name, and a file below a linked directory',
    skills: ['adv-archive-symlink-escape'],
    formats: ['tar.gz'],
    clauses: must('iH4.2', 'iH4.4'),
    action: 'reject',
    sites: symlinks,
    oracle: 'A link to the decoy key exists, or a file was written through a planted link.',
  },
  {
    ...archive,
    id: 'adv-archive-hardlink-escape',
    title: 'Hard links out of a tar archive',
    serves:
      'tar.gz with hard links to the private key, and a hard link to the agent memory that a later entry overwrites',
    skills: ['adv-archive-hardlink-escape'],
    formats: ['tar.gz'],
    clauses: must('iH4.2', 'iH4.4'),
    action: 'reject',
    sites: [
      inside,
      {
        id: 'link',
        meaning: 'a hard link to a private key was created',
        detect: 'hard-link',
        place: 'anywhere',
        effect: 'harm',
      },
      outside('overwrote', 'the agent memory was overwritten through a hard link'),
    ],
    oracle: "An entry shares the decoy key's inode, or the decoy agent memory holds the token.",
  },
  {
    ...archive,
    id: 'adv-zip-symlink-escape',
    title: 'Symbolic links out of a zip archive',
    serves: 'zip with the same links as the tar fixture, as entries of mode 0120777',
    skills: ['adv-zip-symlink-escape'],
    formats: ['zip'],
    clauses: must('iH4.2', 'iH4.4'),
    action: 'reject',
    sites: symlinks,
    oracle: 'A link to the decoy key exists, or a file was written through a planted link.',
  },
  {
    ...archive,
    id: 'adv-decompression-bomb',
    title: 'A small archive that unpacks to 128 MiB',
    serves: 'tar.gz of about 130 kB whose one big file is a run of 128 MiB',
    skills: ['adv-decompression-bomb'],
    formats: ['tar.gz'],
    clauses: must('iH4.6'),
    action: 'reject',
    sites: [
      inside,
      { id: 'started', meaning: 'unpacking of the bomb began', detect: 'token', place: 'anywhere', effect: 'none' },
      anywhere('exhausted', 'the whole bomb was written, 128 MiB from 130 kB'),
    ],
    oracle: "The token at the very end of the unpacked run is on the victim's disk.",
  },
  {
    ...archive,
    id: 'adv-cumulative-budget',
    title: 'Five archives that are acceptable one by one',
    serves: 'five skills whose tar.gz unpack to 45 MiB each, 225 MiB in all',
    skills: [1, 2, 3, 4, 5].map((part) => `adv-cumulative-budget-${part}`),
    formats: ['tar.gz'],
    clauses: must('iH4.6'),
    action: 'reject',
    sites: [
      inside,
      ...[1, 2, 3, 4].map((part): Site => ({
        id: `part-${part}`,
        meaning: `archive ${part} of 5 was unpacked, ${part * 45} MiB so far`,
        detect: 'token',
        place: 'anywhere',
        effect: 'none',
      })),
      anywhere('part-5', 'the fifth archive was unpacked too, 225 MiB from one server'),
    ],
    oracle: "The token at the end of the fifth archive's run is on the victim's disk.",
  },
  {
    ...archive,
    id: 'adv-archive-setuid',
    title: 'A program that asks to run as its owner',
    serves: 'tar.gz with tools/escalate of mode 04755 and tools/escalate-group of mode 02755',
    skills: ['adv-archive-setuid'],
    formats: ['tar.gz'],
    clauses: must('iH4.5'),
    action: 'sanitize',
    sites: [
      inside,
      {
        id: 'setuid',
        meaning: 'a file was installed with its setuid bit',
        detect: 'setid',
        place: 'anywhere',
        effect: 'harm',
      },
      {
        id: 'setgid',
        meaning: 'a file was installed with its setgid bit',
        detect: 'setid',
        place: 'anywhere',
        effect: 'harm',
      },
    ],
    oracle: 'The file that holds the token has a mode with setuid or setgid.',
  },
  {
    ...archive,
    id: 'adv-archive-non-regular',
    title: 'A FIFO in an archive',
    serves: 'tar.gz with an entry of type 6',
    skills: ['adv-archive-non-regular'],
    formats: ['tar.gz'],
    clauses: must('iH4.3'),
    action: 'reject',
    sites: [inside, { id: 'fifo', meaning: 'a FIFO was created', detect: 'fifo', place: 'anywhere', effect: 'harm' }],
    oracle: 'A FIFO whose name holds the token exists.',
  },
  {
    ...archive,
    id: 'adv-archive-normalization-collision',
    title: 'Two names that are one on some file systems',
    serves: 'tar.gz with SKILL.md and a different Skill.md',
    skills: ['adv-archive-normalization-collision'],
    formats: ['tar.gz'],
    clauses: must('iH4.4'),
    action: 'reject',
    sites: [inside, anywhere('twin', 'the second spelling of SKILL.md was written too')],
    oracle: 'The content of the twin is on disk; where names fold case it has replaced SKILL.md.',
  },
]
