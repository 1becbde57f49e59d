import { archiveFormats, archiveMediaTypes, Digest } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isSkillName, parseSkillIndex } from './skill-index.ts'

const sha256 = 'ab'.repeat(32)
const archive = { url: 'skill://demo.zip', mimeType: 'application/zip', digest: `sha256:${sha256}` }
const entry = { frontmatter: { name: 'demo', description: 'A demo.' }, archives: [archive] }
const parse = (...skills: unknown[]) => parseSkillIndex(JSON.stringify({ skills }))

describe('isSkillName', () => {
  it.each(['a', 'pdf-processing', 'x-1', 'a'.repeat(64)])('allows %s', (name) => {
    expect(isSkillName(name)).toBe(true)
  })

  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'A',
    'a--b',
    '-a',
    'a-',
    'a b',
    'a\n',
    'a.b',
    'ä',
    'a'.repeat(65),
    '/etc',
    'a\u0000',
  ])('refuses %j', (name) => {
    expect(isSkillName(name)).toBe(false)
  })

  it('never allows anything that a path could be made of', () => {
    const nearly = fc.string({
      unit: fc.constantFrom('a', '9', '-', '.', '/', '\\', '\n', '\0', 'A', 'ä'),
      maxLength: 70,
    })
    fc.assert(
      fc.property(nearly, (name) => {
        if (isSkillName(name)) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/)
        else expect(name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)).toBe(true)
      }),
    )
  })
})

describe('parseSkillIndex', () => {
  it('reads what is offered', () => {
    expect(parse(entry)).toEqual({
      skills: [{ name: 'demo', archives: [{ uri: 'skill://demo.zip', format: 'zip', sha256 }] }],
      rejected: [],
    })
  })

  it('knows the media types of the contract and no others', () => {
    const offered = [...archiveFormats.map((format) => archiveMediaTypes[format]), 'application/x-tar', 'constructor']
    const result = parse({ ...entry, archives: offered.map((mimeType) => ({ ...archive, mimeType })) })
    expect(result?.skills[0]?.archives.map(({ format }) => format)).toEqual([...archiveFormats])
  })

  it('takes a skill that is served file by file as one without archives', () => {
    expect(parse({ frontmatter: entry.frontmatter, url: 'skill://demo/SKILL.md' })?.skills).toEqual([
      { name: 'demo', archives: [] },
    ])
  })

  it.each(['', 'no json', '[]', 'null', '{}', '{"skills":{}}'])('takes %j for no index at all', (text) => {
    expect(parseSkillIndex(text)).toBeUndefined()
  })

  it('names a bad entry by its place and keeps the good ones', () => {
    const result = parse({ ...entry, frontmatter: { name: '../../etc', description: '' } }, entry)
    expect(result?.skills.map(({ name }) => name)).toEqual(['demo'])
    expect(result?.rejected).toEqual(['entry 0 of the index: "../../etc" is not allowed as the name of a skill'])
  })

  it('accepts an entry exactly when the schema of the index does', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('demo', 'Bad Name', `sha256:${sha256}`, `sha256:${sha256.toUpperCase()}`),
    )
    const value = fc.oneof(text, fc.constant(null), fc.integer(), fc.constant([]), fc.constant({}))
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
    const anyArchive = fc.oneof(
      { weight: 3, arbitrary: fc.constant(archive) },
      fc.record({ url: optional(value), mimeType: optional(value), digest: optional(value) }),
      value,
    )
    const anyEntry = fc.oneof(
      fc.record({
        frontmatter: fc.oneof(
          fc.constant(entry.frontmatter),
          fc.record({ name: optional(value), description: optional(value) }),
          value,
        ),
        archives: optional(fc.oneof(fc.array(anyArchive, { maxLength: 2 }), value)),
      }),
      value,
    )
    fc.assert(
      fc.property(anyEntry, (candidate) => {
        // As it looks after its way through JSON, where `undefined` is no value.
        const written: unknown = JSON.parse(JSON.stringify(candidate) ?? 'null')
        const accepted = parse(written)?.rejected.length === 0
        expect(accepted).toBe(Entry.safeParse(written).success)
      }),
      { numRuns: 500 },
    )
  })
})

/** Fact sheet A1, as a schema. */
const Entry = z.object({
  frontmatter: z.object({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
    description: z.string(),
  }),
  archives: z
    .array(z.object({ url: z.string().min(1), mimeType: z.string(), digest: Digest }))
    .min(1)
    .optional(),
})
