import type { FixtureRow } from './fixture.ts'
import { asked, inside, installed, manyPages } from './sites.ts'

/** Fixtures whose files are honest bytes and whose server lies about them (fact sheet D1): integrity and enumeration. */

const overMcp = { channels: ['mcp-index', 'mcp-stable'], formats: [] } as const

export const deliveryFixtures: readonly FixtureRow[] = [
  {
    ...overMcp,
    id: 'adv-content-rotation',
    title: 'A SKILL.md that changes after the first read',
    serves: 'SKILL.md with an honest digest whose second and later reads answer other bytes',
    skills: ['adv-content-rotation'],
    clauses: {
      index: { ids: ['iH7', 'iH15'], status: 'must' },
      stable: { ids: ['H16', 'H29'], status: 'must' },
    },
    review: 'D7',
    action: 'reject',
    sites: [inside, installed('rotated', 'the other SKILL.md was installed')],
    oracle: "The rotated SKILL.md's token is on disk, although no digest was ever stated for it.",
  },
  {
    ...overMcp,
    id: 'adv-supporting-file-digest-swap',
    title: 'A script that nothing vouches for',
    serves: 'scripts/helper.sh beside SKILL.md, without a digest in the index and left out of resources',
    skills: ['adv-supporting-file-digest-swap'],
    clauses: {
      index: { ids: ['iH7'], status: 'must' },
      stable: { ids: ['H17', 'H21', 'S13'], status: 'must' },
    },
    review: 'B1',
    action: 'gate',
    sites: [inside, installed('swapped', 'the script without a digest was installed')],
    oracle: "The script's token is on disk.",
  },
  {
    ...overMcp,
    channels: ['mcp-stable'],
    id: 'adv-enumeration-exhaustion',
    title: 'A list of skills without an end',
    serves: 'skills/list that states a next cursor on every page, one made-up skill each',
    skills: ['adv-enumeration-exhaustion'],
    clauses: { stable: { ids: ['T6'], status: 'none' } },
    review: 'C1',
    endpoint: 'own',
    action: 'reject',
    sites: [
      inside,
      installed('overflow', 'a made-up entry of a later page was written'),
      asked('pages', 'page after page was asked for', { method: 'skills/list', times: manyPages }),
    ],
    oracle: "The access log shows more pages than the host's limit, or a made-up entry's token is on disk.",
  },
]
