import { expect, it } from 'vitest'
import { onEntry } from './system-errors.ts'
import { refused } from './testing/refused.ts'

const failWith = (code: string) => () => {
  throw Object.assign(new Error('The system said no'), { code, syscall: 'open' })
}

it.each([
  ['ENOENT', 'changed'],
  ['ELOOP', 'changed'],
  ['EACCES', 'unreadable'],
  ['EIO', 'unreadable'],
  ['EMFILE', 'unreadable'],
])('%s on an entry that was seen is told as %s', async (errno, word) => {
  expect(await refused(() => onEntry('a', failWith(errno)))).toBe(word)
})

it('leaves an error of ours alone', () => {
  expect(() => onEntry('a', () => new URL('not one'))).toThrow(TypeError)
})
