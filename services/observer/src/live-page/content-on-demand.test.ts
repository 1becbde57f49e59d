import { linkSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { Tree } from '../testing/tree.ts'
import { LivingVictim } from './living-victim.ts'
import { readFileAt } from './content-on-demand.ts'

function reading(tree: Tree, key: string, most = 100): string {
  using held = tree.hold()
  try {
    const { bytes, size } = readFileAt(held, key, most)
    return `${size} ${bytes.toString()}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const none = 'There is no such file in the victim now'

describe('a file of a living victim', () => {
  it('is read up to a limit', () => {
    using tree = new Tree()
    tree.write('a/b', '0123456789')
    expect(reading(tree, '/a/b')).toBe('10 0123456789')
    expect(reading(tree, '/a/b', 4)).toBe('10 0123')
    truncateSync(tree.write('sparse'), 2 ** 40)
    expect(reading(tree, '/sparse', 3)).toBe(`${2 ** 40} \0\0\0`)
  })

  it('is never anything outside of the victim, nor anything but a file', () => {
    using tree = new Tree()
    const outside = `${tree.base}/outside`
    mkdirSync(outside)
    execFileSync('sh', ['-c', `echo secret > ${outside}/secret`])
    symlinkSync(outside, tree.at('dir'))
    symlinkSync(`${outside}/secret`, tree.at('link'))
    execFileSync('mkfifo', [tree.at('fifo')])
    mkdirSync(tree.at('folder'))
    linkSync(tree.write('file', 'x'), tree.at('hard'))
    for (const key of ['/dir/secret', '/link', '/fifo', '/folder', '/gone', '/', '/../outside/secret', '/./file/x'])
      expect([key, reading(tree, key)]).toEqual([key, none])
    expect(reading(tree, '/hard')).toBe('1 x')
  })

  it('is not there when the victim is not', () => {
    using tree = new Tree()
    tree.write('a', 'a')
    using held = tree.hold()
    const living = new LivingVictim()
    const read = () => living.read('/a', 10).bytes.toString()
    expect(read).toThrow('no victim')
    living.met(held)
    expect(read()).toBe('a')
    living.met(undefined)
    expect(read).toThrow('no victim')
  })
})
