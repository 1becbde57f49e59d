import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { Xattrs } from '@landfall/contracts'
import { describe, expect, it } from 'vitest'
import { BlindSpots } from './blindness.ts'
import type { Limits } from './limits.ts'
import { atOnce } from './steps.ts'
import { setXattr } from './testing/set-xattr.ts'
import { limitsWith, Tree } from './testing/tree.ts'
import { walk } from './walk.ts'
import { xattrsToWire } from './xattrs.ts'

function attributes(tree: Tree, limits: Partial<Limits> = {}) {
  using held = tree.hold()
  const blind = new BlindSpots()
  const found = new Map<string, Xattrs>()
  const visit = (_: unknown, spot: { key: () => string; xattrs: () => string | undefined }): undefined => {
    const text = spot.xattrs()
    if (text !== undefined) found.set(spot.key(), Xattrs.parse(xattrsToWire(text)))
  }
  atOnce(walk(held, { limits: limitsWith(limits), blind, expired: () => false, visit }))
  return { found, blind }
}

describe('extended attributes', () => {
  it('are listed of files and directories, whatever their names and values are', () => {
    using tree = new Tree()
    const where = process.cwd()
    setXattr(tree.write('d/f'), 'user.b', Buffer.from([0, 255, 10]))
    setXattr(tree.at('d/f'), 'user.a =\n\xff', Buffer.alloc(0))
    setXattr(tree.at('d'), 'user.long', Buffer.alloc(257))
    const { found, blind } = attributes(tree)
    expect(blind.list()).toEqual([])
    expect(Object.fromEntries(found)).toEqual({
      '/d': { 'user.long': `sha256:${createHash('sha256').update(Buffer.alloc(257)).digest('hex')}` },
      '/d/f': { 'user.a =%0A%C3%BF': '', 'user.b': 'AP8K' },
    })
    expect(process.cwd()).toBe(where)
  })

  it('hold access lists', () => {
    using tree = new Tree()
    // user::rw- user:7:r-- group::r-- mask::r-- other::r--, as the kernel stores it.
    const acl = Buffer.from(
      '0200000001000600ffffffff02000400070000000400 0400ffffffff10000400ffffffff20000400ffffffff'.replace(' ', ''),
      'hex',
    )
    setXattr(tree.write('f'), 'system.posix_acl_access', acl)
    expect(attributes(tree).found.get('/f')).toEqual({ 'system.posix_acl_access': acl.toString('base64') })
  })

  it('beyond the limit are said to be missing', () => {
    using tree = new Tree()
    setXattr(tree.write('f'), 'user.a', Buffer.from('value'))
    const { found, blind } = attributes(tree, { xattrBytes: 5 })
    expect(found.size).toBe(0)
    expect(blind.list()).toMatchObject([{ kind: 'unreadable', path: '/f' }])
  })

  it('of something that has none, or can have none, are absent', () => {
    using tree = new Tree()
    execFileSync('mkfifo', [tree.at('pipe')])
    execFileSync('ln', ['-s', 'nowhere', tree.at('link')])
    const { found, blind } = attributes(tree)
    expect(found.size).toBe(0)
    expect(blind.list()).toEqual([])
  })
})
