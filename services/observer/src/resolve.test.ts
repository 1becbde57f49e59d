import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveTarget } from './resolve.ts'
import { Tree } from './testing/tree.ts'

function world(): Tree {
  const tree = new Tree()
  writeFileSync(`${tree.base}/secret`, '')
  tree.write('etc/passwd')
  tree.write('home/agent/file')
  mkdirSync(tree.at('home/agent/dir'))
  symlinkSync('/home/agent', tree.at('me'))
  symlinkSync('../../etc', tree.at('home/agent/to-etc'))
  symlinkSync('loop', tree.at('loop'))
  symlinkSync('/../../../..', tree.at('top'))
  symlinkSync('nowhere', tree.at('dangling'))
  return tree
}

describe('resolveTarget', () => {
  it.each<[string, string | undefined]>([
    ['file', '/home/agent/file'],
    ['./dir/../file', '/home/agent/file'],
    ['/etc/passwd', '/etc/passwd'],
    ['to-etc/passwd', '/etc/passwd'],
    ['/me/to-etc/../home/agent/file', '/home/agent/file'],
    ['dir', '/home/agent/dir'],
    ['dir/', '/home/agent/dir'],
    ['/me', '/home/agent'],
    ['..', '/home'],
    ['/', '/'],
    ['.', '/home/agent'],
    ['../../../../../../secret', undefined],
    ['../../../../../../etc/passwd', '/etc/passwd'],
    ['/top/secret', undefined],
    ['/top/etc/passwd', '/etc/passwd'],
    ['file/', undefined],
    ['file/..', undefined],
    ['file/more', undefined],
    ['missing', undefined],
    ['missing/../file', undefined],
    ['/loop', undefined],
    ['/dangling', undefined],
    ['', undefined],
  ])('%j leads to %s', (target, expected) => {
    using tree = world()
    using held = tree.hold()
    expect(resolveTarget(held, '/home/agent', target)?.key).toBe(expected)
  })

  it('follows forty links and not one more', () => {
    using tree = world()
    for (let index = 0; index <= 40; index += 1)
      symlinkSync(index === 0 ? 'etc' : `l${index - 1}`, tree.at(`l${index}`))
    using held = tree.hold()
    expect(resolveTarget(held, '/', 'l39')?.key).toBe('/etc')
    expect(resolveTarget(held, '/', 'l40')).toBeUndefined()
  })

  it('agrees with the kernel wherever the kernel stays inside', () => {
    using tree = world()
    using held = tree.hold()
    const part = fc.constantFrom('..', '.', '', 'home', 'agent', 'dir', 'file', 'to-etc', 'etc', 'passwd')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), (parts) => {
        const target = parts.join('/')
        fc.pre(target !== '' && !target.startsWith('/'))
        const depths = parts.map((_, index) => depth(parts.slice(0, index + 1)))
        fc.pre(Math.min(...depths) >= 0)
        let expected: string | undefined
        try {
          expected = realpathSync.native(`${tree.root}/${target}`).slice(tree.root.length) || '/'
        } catch {
          expected = undefined
        }
        expect(resolveTarget(held, '/', target)?.key).toBe(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('goes into a mount that the root has lost, through its own descriptor', () => {
    using tree = world()
    mkdirSync(tree.at('shm'))
    using mounted = new Tree()
    mounted.write('inside')
    using held = tree.hold()
    using other = mounted.hold()
    const mounts = [...held.mounts, ...other.mounts.map((mount) => ({ ...mount, key: '/shm' }))]
    const both = { ...held, mounts, points: new Set(['/shm', '/proc']) }
    expect(resolveTarget(both, '/', 'shm/inside')?.key).toBe('/shm/inside')
    expect(resolveTarget(both, '/', 'shm')?.key).toBe('/shm')
    expect(resolveTarget(both, '/', 'shm/../etc')?.key).toBe('/etc')
    expect(resolveTarget(both, '/', 'proc/self')).toBeUndefined()
  })
})

/** Directories below the root, as if every name were a plain one; links of the world lead at most to a shallower place. */
function depth(parts: readonly string[]): number {
  return parts.reduce((level, part) => {
    if (part === '..') return level - 1
    if (part === 'to-etc') return level - 1
    return part === '' || part === '.' ? level : level + 1
  }, 0)
}
