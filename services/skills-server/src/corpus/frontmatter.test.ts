import { describe, expect, it } from 'vitest'
import { parseFrontmatter } from './frontmatter.ts'

const parse = (text: string) => parseFrontmatter(Buffer.from(text))

describe('parseFrontmatter', () => {
  it('takes every field as it is', () => {
    const yaml =
      'name: a-1\ndescription: " spaced "\nlicense: MIT\nhooks:\n  Stop: [{ n: 1.5, b: null }]\nday: 2026-11-30\nyes: yes'
    expect(parse(`---\n${yaml}\n---\nbody\n`)).toEqual({
      name: 'a-1',
      description: ' spaced ',
      license: 'MIT',
      hooks: { Stop: [{ n: 1.5, b: null }] },
      day: '2026-11-30',
      yes: 'yes',
    })
  })

  it.each([
    ['line ends of Windows', '---\r\nname: a\r\ndescription: b\r\n---\r\nbody'],
    ['a byte order mark', '\uFEFF---\nname: a\ndescription: b\n---\n'],
    ['no body', '---\nname: a\ndescription: b\n---'],
    ['a fence in a block of text', '---\nname: a\ndescription: b\n---\n---\n'],
  ])('accepts %s', (_, text) => {
    expect(parse(text)).toEqual({ name: 'a', description: 'b' })
  })

  it.each([
    ['no frontmatter', '# Title\n', 'does not begin with frontmatter'],
    ['a fence that never closes', '---\nname: a\n', 'does not begin with frontmatter'],
    ['empty frontmatter', '---\n---\n', 'frontmatter'],
    ['broken YAML', '---\nname: [\n---\n', 'not YAML'],
    ['a key twice', '---\nname: a\nname: b\ndescription: c\n---\n', 'not YAML'],
    ['more aliases than a person writes', `---\n${bomb()}\n---\n`, 'not YAML'],
    ['a list', '---\n- a\n---\n', 'expected record'],
    ['no name', '---\ndescription: b\n---\n', 'name'],
    ['no description', '---\nname: a\n---\n', 'description'],
    ['an empty description', '---\nname: a\ndescription: " "\n---\n', 'description'],
    ['a path as name', '---\nname: ../a\ndescription: b\n---\n', 'name'],
    ['capitals in the name', '---\nname: Abc\ndescription: b\n---\n', 'name'],
    ['two hyphens', '---\nname: a--b\ndescription: b\n---\n', 'name'],
    ['a name of 65 characters', `---\nname: ${'a'.repeat(65)}\ndescription: b\n---\n`, 'name'],
    ['a number that JSON lacks', '---\nname: a\ndescription: b\nsize: .inf\n---\n', 'size'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => parse(text)).toThrow(reason)
  })

  it('refuses what is not UTF-8', () => {
    expect(() => parseFrontmatter(Buffer.from('---\nname: a\ndescription: \xff\n---\n', 'latin1'))).toThrow('UTF-8')
  })

  it('keeps a field named __proto__ from being more than a field', () => {
    const fields = parse('---\nname: a\ndescription: b\n__proto__: { polluted: true }\n---\n')
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
    expect('polluted' in fields).toBe(false)
  })
})

function bomb(): string {
  const levels = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [above, below] of ['ab', 'bc', 'cd', 'de']) levels.push(`${below}: &${below} [${`*${above}, `.repeat(9)}]`)
  return levels.join('\n')
}
