import { archiveChannels } from './channels.ts'
import type { FixtureRow } from './fixture.ts'
import { inside, installed } from './sites.ts'

/**
 * Archives that readers disagree about. What one reader shows to a person or a scanner, another one does not
 * install, so each reading holds something that the others do not have. No text tells a host to refuse an
 * archive for that alone. One that goes on after a bad header sees a name twice there, which is iH4.4.
 */
const oracle = 'The token of an entry that other readers of the same bytes do not see is on disk.'
const common = { channels: archiveChannels, review: 'C1', action: 'reject', oracle } as const
const tar = { ...common, formats: ['tar.gz'] } as const
const zip = { ...common, formats: ['zip'] } as const
const unregulated = (...ids: string[]) => ({ index: { ids, status: 'none' as const } })

export const readingFixtures: readonly FixtureRow[] = [
  {
    ...tar,
    id: 'adv-archive-pax-size',
    title: 'Two sizes for one file',
    serves: 'tar.gz with two files whose pax size is larger, and smaller, than the size of their header',
    skills: ['adv-archive-pax-size'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-header', 'an entry was installed that is content of a file for readers of pax sizes'),
      installed('by-pax', 'an entry was installed that is content of a file for readers of header sizes'),
    ],
  },
  {
    ...tar,
    id: 'adv-archive-pax-path',
    title: 'Three names for one file of a tar archive',
    serves: 'tar.gz with a file that has a pax path, a GNU long name and a name in its header, each different',
    skills: ['adv-archive-pax-path'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-pax', 'the file was installed under its pax path'),
      installed('by-long-name', 'the file was installed under its GNU long name'),
      installed('by-header', 'the file was installed under the name in its header'),
    ],
  },
  {
    ...tar,
    id: 'adv-archive-pax-global',
    title: 'One path for everything that follows',
    serves: 'tar.gz with a global pax header that states a path, and a file after it',
    skills: ['adv-archive-pax-global'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-global', 'the file was installed under the path of the global header'),
      installed('by-header', 'the file was installed under the name in its own header'),
    ],
  },
  {
    ...tar,
    id: 'adv-archive-bad-checksum',
    title: 'A header whose checksum is wrong',
    serves: 'tar.gz with one name before and after a header whose checksum is wrong',
    skills: ['adv-archive-bad-checksum'],
    clauses: unregulated('iH4.4'),
    sites: [
      inside,
      installed('stopped', 'the file before the bad header was installed, and what replaces it was left out'),
      installed('unchecked', 'the file with the wrong checksum was installed'),
      installed('went-on', 'the file after the bad header was installed'),
    ],
  },
  {
    ...tar,
    id: 'adv-archive-after-end',
    title: 'Entries after the end of a tar archive',
    serves: 'tar.gz whose tar goes on after its end mark, with a file that replaces one before it',
    skills: ['adv-archive-after-end'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('before', 'the file before the end mark was installed, and what replaces it was left out'),
      installed('after', 'the file after the end mark was installed'),
    ],
  },
  {
    ...tar,
    id: 'adv-archive-second-member',
    title: 'A second gzip member',
    serves: 'tar.gz of two gzip members, of which the first is a skill by itself',
    skills: ['adv-archive-second-member'],
    clauses: unregulated(),
    sites: [inside, installed('second-member', 'a file of the second gzip member was installed')],
  },
  {
    ...zip,
    id: 'adv-zip-local-name',
    title: 'Local headers that are not those of the central directory',
    serves: 'zip with one file in the local headers alone, one in the directory alone, and one with two names',
    skills: ['adv-zip-local-name'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-local', 'a file was installed that the central directory does not list'),
      installed('by-central', 'a file was installed whose local header is content of another one'),
      installed('name-by-central', 'the file with two names was installed under that of the directory'),
      installed('name-by-local', 'the file with two names was installed under that of its local header'),
    ],
  },
  {
    ...zip,
    id: 'adv-zip-unicode-path',
    title: 'Two names for one file of a zip',
    serves: 'zip with a file whose Unicode path field states another name than its header',
    skills: ['adv-zip-unicode-path'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-name', 'the file was installed under the name in its header'),
      installed('by-field', 'the file was installed under the name in its Unicode path field'),
    ],
  },
  {
    ...zip,
    id: 'adv-zip-end-in-comment',
    title: 'A zip in the comment of a zip',
    serves: 'zip whose comment holds another central directory and an end record that states a false length',
    skills: ['adv-zip-end-in-comment'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-outer', 'a file of the zip around the comment was installed'),
      installed('by-comment', 'a file of the zip in the comment was installed'),
    ],
  },
  {
    ...zip,
    id: 'adv-zip-joined',
    title: 'Two zips in one file',
    serves: 'two zips of the same length, one behind the other',
    skills: ['adv-zip-joined'],
    clauses: unregulated(),
    sites: [
      inside,
      installed('by-first', 'a file of the first zip was installed'),
      installed('by-last', 'a file of the second zip was installed'),
    ],
  },
]
