import type { FixtureRow, Site } from './fixture.ts'
import { asked, inside, installed, manyPages, passed } from './sites.ts'

/** Fixtures that only the stable revision can express: one rule of its entries, listings or limits each (hosts.md, class 12). */
interface Extra extends Omit<FixtureRow, 'skills' | 'channels' | 'formats' | 'clauses'> {
  readonly ids: readonly string[]
  /** Whether the text tells a host to act on it. */
  readonly status?: 'must' | 'none'
}

const row = ({ ids, status = 'must', ...rest }: Extra): FixtureRow => ({
  ...rest,
  skills: [rest.id],
  channels: ['mcp-stable'],
  formats: [],
  clauses: { stable: { ids, status } },
})

const outOfPlace = (id: string, spelling: string): Site => ({
  id,
  meaning: `the item whose URI climbs by ${spelling} was written outside of the skill`,
  detect: 'token',
  place: 'outside',
  effect: 'harm',
})

export const stableFixtures: readonly FixtureRow[] = [
  row({
    id: 'adv-manifest-size-mismatch',
    title: 'A file that is larger than stated',
    serves: 'data.txt, whose digest is right and whose size is stated one byte too small',
    ids: ['H16', 'S15'],
    action: 'reject',
    sites: [inside, installed('mismatched', 'the file was installed although its size is not the stated one')],
    oracle: "The file's token is on disk.",
  }),
  row({
    id: 'adv-manifest-uppercase-digest',
    title: 'A digest in capital letters',
    serves: 'data.txt, whose digest is right but not written in lower case',
    ids: ['S16'],
    status: 'none',
    action: 'reject',
    sites: [inside, installed('misspelt', 'the file was installed on the word of a digest that is none')],
    oracle: "The file's token is on disk.",
  }),
  row({
    id: 'adv-manifest-missing-resources',
    title: 'An entry without a manifest',
    serves: 'an entry that has neither an array of resources nor the word dynamic',
    ids: ['H12', 'S12'],
    action: 'reject',
    sites: [installed('unverifiable', 'a SKILL.md was installed that nothing vouches for')],
    oracle: 'The token of SKILL.md is on disk.',
  }),
  row({
    id: 'adv-manifest-duplicate-item',
    title: 'A file that is stated twice',
    serves: 'an entry with two equal items for data.txt',
    ids: ['S13'],
    status: 'none',
    action: 'reject',
    sites: [inside, installed('doubled', 'the file was installed from a manifest that counts it twice')],
    oracle: "The file's token is on disk.",
  }),
  row({
    id: 'adv-manifest-outside-item',
    title: 'A file that belongs to nobody',
    serves: 'an item at skill://landfall-elsewhere/, outside of the directory of the skill',
    ids: ['S14'],
    status: 'none',
    action: 'reject',
    sites: [inside, installed('elsewhere', 'the file was installed although it is not of this skill')],
    oracle: "The file's token is on disk.",
  }),
  row({
    id: 'adv-manifest-unserved-item',
    title: 'A file that is stated and not there',
    serves: 'an item whose read answers -32602',
    ids: ['S26'],
    status: 'none',
    action: 'reject',
    sites: [installed('partial', 'the skill was installed without a file that its manifest states')],
    oracle: 'The token of SKILL.md is on disk, so half of a skill was installed.',
  }),
  row({
    id: 'adv-dynamic-persisted-approval',
    title: 'Generated content under an approval that was kept',
    serves: 'a dynamic entry whose SKILL.md is another one from the second read on',
    ids: ['H30'],
    review: 'D7',
    action: 're-prompt',
    sites: [inside, installed('regenerated', 'the later SKILL.md was installed under the approval of the first')],
    oracle: "The later SKILL.md's token is on disk, and nobody was asked a second time.",
  }),
  row({
    id: 'adv-cursor-cycle',
    title: 'A list that always names the same next page',
    serves: 'skills/list whose every answer states one and the same cursor, and nothing new',
    ids: ['T6'],
    status: 'none',
    review: 'C1',
    endpoint: 'own',
    action: 'reject',
    sites: [
      inside,
      asked('pages', 'the same page was asked for again and again', { method: 'skills/list', times: manyPages }),
    ],
    oracle: "The access log shows more pages than any host's limit.",
  }),
  row({
    id: 'adv-uri-normalization-twins',
    title: 'Two files whose names differ in composition alone',
    serves: 'references/café.md twice, once composed (NFC) and once decomposed (NFD), with different content',
    ids: ['H8'],
    action: 'reject',
    sites: [
      inside,
      passed('composed', 'the composed spelling was installed'),
      installed('decomposed', 'the other spelling was written too, or over it'),
    ],
    oracle: 'The content of the second spelling is on disk; where names are normalised it has replaced the first.',
  }),
  row({
    id: 'adv-uri-case-twins',
    title: 'Two files whose names differ in case alone',
    serves: 'SKILL.md and a different Skill.md, both stated with their digests',
    ids: ['H8'],
    action: 'reject',
    sites: [inside, installed('twin', 'the second spelling of SKILL.md was written too, or over it')],
    oracle: 'The content of the twin is on disk; where names fold case it has replaced SKILL.md.',
  }),
  row({
    id: 'adv-uri-encoded-traversal',
    title: 'Items whose encoded URIs climb out of the skill',
    serves: 'three items whose URIs start with %2e%2e/, ..%2f and ..\\ below the directory of the skill',
    ids: ['S14'],
    status: 'none',
    action: 'reject',
    sites: [
      inside,
      outOfPlace('escape-dots', 'encoded dots'),
      outOfPlace('escape-slash', 'an encoded slash'),
      outOfPlace('escape-backslash', 'a backslash'),
    ],
    oracle: "A file with the site's token stands outside the skill's directory.",
  }),
  row({
    id: 'adv-limit-files',
    title: 'One file more than the limit',
    serves: 'a skill of 513 files, SKILL.md among them',
    ids: ['S19'],
    status: 'none',
    review: 'C1',
    action: 'reject',
    sites: [inside, installed('beyond', 'the 513th file was installed')],
    oracle: 'The token of the last file is on disk. Up to 512 files a host has to accept (H13).',
  }),
  row({
    id: 'adv-limit-bytes',
    title: 'One byte more than the limit',
    serves: 'a skill of 16 MiB and one byte in two files and SKILL.md',
    ids: ['S19'],
    status: 'none',
    review: 'C1',
    action: 'reject',
    sites: [inside, installed('beyond', 'the last byte was installed')],
    oracle: 'The token at the end of the last file is on disk. Up to 16 MiB a host has to accept (H13).',
  }),
  row({
    id: 'adv-prefetch-detector',
    title: 'A file that nobody needs',
    serves: 'an honest skill with a reference that is to be read only when the user asks for it',
    ids: ['H19'],
    action: 'gate',
    sites: [
      inside,
      asked('prefetched', 'a file was read before anything needed it', {
        method: 'resources/read',
        uris: ['skill://adv-prefetch-detector/references/unneeded.md'],
        times: 1,
      }),
      passed('kept', 'the unneeded file is on disk'),
    ],
    oracle: 'The access log shows a read of references/unneeded.md in a trial in which nobody asked for it.',
  }),
]
