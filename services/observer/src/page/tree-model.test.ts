import type { PageChange } from '@landfall/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mark, Node } from './tree-model.js'
import { buildTree, firstOpen, visibleRows } from './tree-model.js'

const change = (path: string, some: Partial<PageChange> = {}): PageChange => {
  return { path, kind: 'added', type: 'file', mode: 0o644, uid: 0, size: 1, ...some }
}
const tree = (paths: readonly string[], marks: Record<string, Mark> = {}) =>
  buildTree(
    paths.map((path) => change(path)),
    new Map(Object.entries(marks)),
  )
const all = (node: Node): Node[] => [node, ...node.children.flatMap(all)]
const names = (node: Node): string[] => node.children.map(({ name }) => name)

const segment = fc.constantFrom('a', 'b', 'c', '<', '%0A')
const paths = fc.uniqueArray(
  fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
  { maxLength: 40 },
)

describe('the tree of what changed', () => {
  it('holds every change once, below folders whose names make its path', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const root = tree(list)
        const found = all(root).filter(({ change: of }) => of !== undefined)
        expect(found.map(({ path }) => path).toSorted()).toEqual(list.toSorted())
        expect(root.count).toBe(list.length)
        const check = (node: Node, above: string): void => {
          expect(node.path).toBe(`${above}/${node.name}`)
          for (const child of node.children) check(child, node.path)
        }
        for (const child of root.children) check(child, '')
      }),
    )
  })

  it('shows every row once when all is open, parents first', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const root = tree(list)
        const rows = visibleRows(root, new Set(all(root).map(({ path }) => path)))
        expect(rows.map(({ node }) => node.path)).toEqual(
          all(root)
            .slice(1)
            .map(({ path }) => path),
        )
        for (const { position, siblings } of rows) expect(position).toBeLessThanOrEqual(siblings)
        expect(visibleRows(root, new Set())).toHaveLength(root.children.length)
      }),
    )
  })

  it('joins folders on the way that hold nothing else', () => {
    expect(names(tree(['/home/agent/.agents/skills/a', '/home/agent/.agents/skills/b']))).toEqual([
      'home/agent/.agents/skills',
    ])
    expect(names(tree(['/home/agent', '/home/agent/a']))).toEqual(['home'])
  })

  it('does not count a folder of which only the times changed', () => {
    const touched = change('/d', { kind: 'changed', type: 'directory', fields: ['mtimeNs', 'ctimeNs', 'size'] })
    const opened = change('/e', { kind: 'changed', type: 'directory', fields: ['mode', 'ctimeNs'] })
    expect(buildTree([touched, change('/d/x'), opened], new Map()).count).toBe(2)
  })

  it('opens the way to a landing, and not ten thousand rows', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => `/big/${index}`)
    const root = tree([...list, '/x/y/z', '/x/deep/er/one', '/x/deep/er/two'], { '/x/deep/er/one': 'landed' })
    const rows = visibleRows(root, firstOpen(root))
    expect(rows.length).toBeLessThan(60)
    expect(rows.map(({ node }) => node.path)).toContain('/x/deep/er/one')
    expect(root.children.map(({ marked }) => marked)).toEqual([false, true])
  })

  it('takes a path of four thousand folders', () => {
    const deep = `/${Array.from({ length: 4_000 }, (_, index) => `${index}`).join('/')}`
    const root = tree([deep, `${deep}/x`, '/0/y'])
    expect(root.count).toBe(3)
    expect(visibleRows(root, firstOpen(root)).length).toBeGreaterThan(2)
  })

  it('is built of ten thousand changes in far less than a second', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => `/d${index % 100}/e${index % 10}/${index}`)
    const begin = performance.now()
    const root = tree(list)
    visibleRows(root, new Set(all(root).map(({ path }) => path)))
    expect(performance.now() - begin).toBeLessThan(1_000)
  })
})
