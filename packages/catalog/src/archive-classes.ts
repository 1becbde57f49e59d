import { readingFixtures } from './archive-readings.ts'
import { archiveChannels, carried } from './channels.ts'
import type { FixtureRow, Site } from './fixture.ts'
import { inside } from './sites.ts'

/**
 * Archive fixtures made after public reports about installers, beyond those of fact sheet D1: names that are
 * paths, one name with two types, readers that disagree, half an install, files that configure the host, and
 * names that lie to a person.
 */
const harm = (id: string, meaning: string, place: Site['place'] = 'anywhere'): Site => ({
  id,
  meaning,
  detect: 'token',
  place,
  effect: 'harm',
})
const trace = (id: string, meaning: string): Site => ({ ...harm(id, meaning), effect: 'trace' })
const unseen = (id: string, meaning: string): Site => ({ ...harm(id, meaning), detect: 'unseen-name' })

const archive = { channels: archiveChannels, review: 'C1', action: 'reject' } as const
const must = (...ids: string[]) => ({ index: { ids, status: 'must' as const } })
const unregulated = (...ids: string[]) => ({ index: { ids, status: 'none' as const } })

/** Its directory is that of the honest name, which is also what most clean-ups make of the path. */
const pathNames: readonly FixtureRow[] = [
  {
    id: 'adv-frontmatter-name-path',
    title: 'A SKILL.md that calls itself by a path',
    serves: 'tar.gz whose SKILL.md has a name that climbs two levels, under an honest name in the index',
    skills: ['adv-frontmatter-name-path'],
    channels: ['mcp-index', 'archive-url', 'well-known', 'git', 'marketplace'],
    formats: ['tar.gz'],
    clauses: must('iH8', 'iS10', 'iS3'),
    review: 'A2',
    action: 'reject',
    sites: [inside, harm('escape-name', 'the skill was installed in a directory that its SKILL.md named', 'outside')],
    oracle: "The token of notes.txt stands outside the skill's directory.",
  },
  {
    id: 'adv-index-name-path',
    title: 'An index that calls a skill by a path',
    serves: 'tar.gz of a skill whose name climbs two levels, in the index and in SKILL.md alike',
    skills: ['adv-index-name-path'],
    channels: ['mcp-index', 'archive-url', 'well-known', 'git', 'marketplace'],
    formats: ['tar.gz'],
    clauses: unregulated('iS3'),
    review: 'A2',
    action: 'reject',
    sites: [inside, harm('escape-name', 'the skill was installed in a directory that the index named', 'outside')],
    oracle: "The token of notes.txt stands outside the skill's directory.",
  },
]

const throughDirectory: readonly Site[] = [
  inside,
  harm('link-then-directory', 'a file was written through a link that came before a directory of its name', 'outside'),
  harm('directory-then-link', 'a file was written through a link that came after a directory of its name', 'outside'),
]

const oneOfTwo: readonly Site[] = [
  inside,
  harm('file-kept', 'a file was kept, and the directory that comes after it under its name was left out'),
  harm('file-replaced', 'a directory has replaced the file that comes before it under its name'),
  harm('directory-kept', 'a directory was kept, and the file that comes after it under its name was left out'),
  harm('directory-replaced', 'a file has replaced the directory that comes before it under its name'),
]

const twoTypes: readonly FixtureRow[] = [
  {
    ...archive,
    id: 'adv-archive-directory-and-link',
    title: 'A directory and a link of one name in a tar archive',
    serves: 'tar.gz with a link and a directory of one name, in either order, and a file below it',
    skills: ['adv-archive-directory-and-link'],
    formats: ['tar.gz'],
    clauses: must('iH4.2', 'iH4.4'),
    sites: throughDirectory,
    oracle: "A file with the site's token stands outside the skill's directory.",
  },
  {
    ...archive,
    id: 'adv-zip-directory-and-link',
    title: 'A directory and a link of one name in a zip archive',
    serves: 'zip with a link and a directory of one name, in either order, and a file below it',
    skills: ['adv-zip-directory-and-link'],
    formats: ['zip'],
    clauses: must('iH4.2', 'iH4.4'),
    sites: throughDirectory,
    oracle: "A file with the site's token stands outside the skill's directory.",
  },
  {
    ...archive,
    id: 'adv-archive-file-and-directory',
    title: 'A file and a directory of one name in a tar archive',
    serves: 'tar.gz with a file and a directory of one name, in either order',
    skills: ['adv-archive-file-and-directory'],
    formats: ['tar.gz'],
    clauses: must('iH4.4'),
    sites: oneOfTwo,
    oracle: 'A token of either of the two is on disk: the host has chosen one instead of refusing the archive.',
  },
  {
    ...archive,
    id: 'adv-zip-file-and-directory',
    title: 'A file and a directory of one name in a zip archive',
    serves: 'zip with a file and a directory of one name, in either order',
    skills: ['adv-zip-file-and-directory'],
    formats: ['zip'],
    clauses: must('iH4.4'),
    sites: oneOfTwo,
    oracle: 'A token of either of the two is on disk: the host has chosen one instead of refusing the archive.',
  },
]

const halves: readonly Site[] = [
  inside,
  harm('first-half', 'the script before the unreadable entry was installed without the limits that it asks for'),
  trace('second-half', 'what comes after the unreadable entry was installed too'),
]

const halfInstalls: readonly FixtureRow[] = [
  {
    ...archive,
    id: 'adv-archive-half-install',
    title: 'A tar archive with something unreadable in the middle',
    serves: 'tar.gz of two good halves around an entry whose checksum is wrong',
    skills: ['adv-archive-half-install'],
    formats: ['tar.gz'],
    clauses: unregulated(),
    sites: halves,
    oracle: "The script's token is on disk, although the archive cannot be installed as a whole.",
  },
  {
    ...archive,
    id: 'adv-zip-half-install',
    title: 'A zip with something unreadable in the middle',
    serves: 'zip of two good halves around an entry whose compression method does not exist',
    skills: ['adv-zip-half-install'],
    formats: ['zip'],
    clauses: unregulated(),
    sites: halves,
    oracle: "The script's token is on disk, although the archive cannot be installed as a whole.",
  },
]

const sanitized: readonly FixtureRow[] = [
  {
    id: 'adv-host-configuration',
    title: 'Files that configure the host',
    serves: 'settings of an agent, a git hook, a list of MCP servers and a node package, as tar.gz and as zip',
    skills: ['adv-host-configuration'],
    channels: carried,
    formats: ['tar.gz', 'zip'],
    clauses: unregulated(),
    review: 'D5',
    action: 'sanitize',
    sites: [
      inside,
      harm('settings', '.claude/settings.json with a hook was installed'),
      harm('git-hook', '.git/hooks/post-checkout was installed'),
      harm('mcp-servers', '.mcp.json with a server to start was installed'),
      harm('node-modules', 'a package was installed in node_modules'),
    ],
    oracle: "A file with the site's token is on disk under the name that makes it configuration.",
  },
  {
    id: 'adv-lying-names',
    title: 'Names that a person does not see as they are',
    serves: 'files whose names hold escape sequences, a change of direction and a line break, as tar.gz and as zip',
    skills: ['adv-lying-names'],
    channels: archiveChannels,
    formats: ['tar.gz', 'zip'],
    clauses: unregulated(),
    review: 'D4',
    action: 'sanitize',
    sites: [
      inside,
      trace('description', 'a description that rewrites the line it is shown on was installed with SKILL.md'),
      unseen('escape', 'a file was installed whose name rewrites the line it is shown on'),
      unseen('bidi', 'a file was installed whose name turns the direction of its letters'),
      unseen('newline', 'a file was installed whose name looks like two'),
    ],
    oracle: 'An entry whose name holds the token and a control or direction character is on disk.',
  },
]

export const archiveClassFixtures: readonly FixtureRow[] = [
  ...pathNames,
  ...twoTypes,
  ...readingFixtures,
  ...halfInstalls,
  ...sanitized,
]
