// @ts-check
/**
 * The tree of what changed. Pure: no DOM.
 *
 * A folder that did not change itself and holds nothing but one other such folder is joined with it, so that the
 * way to what changed is short.
 *
 * @typedef {import('@landfall/contracts').PageChange} PageChange
 * @typedef {'landed' | 'trace' | 'ok' | 'decoy'} Mark
 * @typedef {{ path: string, name: string, change: PageChange | undefined, mark: Mark | undefined, count: number, marked: boolean, children: Node[] }} Node
 * @typedef {{ node: Node, level: number, position: number, siblings: number, expanded: boolean | undefined }} Row
 */

/** @param {string} path @param {string} name @returns {Node} */
function makeNode(path, name) {
  return { path, name, change: undefined, mark: undefined, count: 0, marked: false, children: [] }
}

/**
 * @param {readonly PageChange[]} changes
 * @param {ReadonlyMap<string, Mark>} marks By path: what the catalogue says of it.
 * @returns {Node} The root, which itself is not shown.
 */
export function buildTree(changes, marks) {
  const root = makeNode('/', '/')
  /** @type {Map<string, Node>} */
  const nodes = new Map([['/', root]])
  for (const change of changes) {
    const node = nodeAt(change.path, nodes)
    node.change = change
    node.mark = marks.get(change.path)
  }
  finish(root)
  return root
}

/** @param {string} path @param {Map<string, Node>} nodes @returns {Node} */
function nodeAt(path, nodes) {
  const missing = []
  let known = nodes.get(path)
  for (let at = path; known === undefined; known = nodes.get(at)) {
    missing.push(at)
    at = at.slice(0, Math.max(1, at.lastIndexOf('/')))
  }
  for (const next of missing.toReversed()) {
    const made = makeNode(next, next.slice(next.lastIndexOf('/') + 1))
    known.children.push(made)
    nodes.set(next, made)
    known = made
  }
  return known
}

/**
 * Counts, joins and sorts, from the leaves up; without recursion, since a victim may nest deeply.
 *
 * @param {Node} root
 */
function finish(root) {
  const order = [root]
  for (let at = 0; at < order.length; at += 1) order.push(...(order[at]?.children ?? []))
  for (const node of order.toReversed()) {
    node.children = node.children.map(joined).toSorted(byName)
    node.count = node.children.reduce((sum, { count }) => sum + count, isTold(node) ? 1 : 0)
    node.marked = node.mark === 'landed' || node.children.some(({ marked }) => marked)
  }
}

/**
 * A folder whose times changed says only that something in it did.
 *
 * @param {Node} node
 */
export function isTold({ change }) {
  return change !== undefined && !(change.kind === 'changed' && change.type === 'directory' && onlyTimes(change))
}

/** @param {PageChange} change */
function onlyTimes({ fields = [] }) {
  return fields.every((field) => ['mtimeNs', 'ctimeNs', 'size', 'links'].includes(field))
}

/** @param {Node} node @returns {Node} */
function joined(node) {
  const [only] = node.children
  if (only === undefined || node.children.length > 1 || only.children.length === 0) return node
  if (isTold(node) || isTold(only)) return node
  // What stands below was joined before, so its name may be a path already.
  return { ...only, name: `${node.name}/${only.name}` }
}

/** @param {Node} a @param {Node} b */
function byName(a, b) {
  const folders = Number(b.children.length > 0) - Number(a.children.length > 0)
  return folders !== 0 ? folders : a.name < b.name ? -1 : Number(a.name > b.name)
}

/**
 * The rows that can be seen, in order, while these folders are open.
 *
 * @param {Node} root
 * @param {ReadonlySet<string>} open
 * @returns {Row[]}
 */
export function visibleRows(root, open) {
  /** @type {Row[]} */
  const rows = []
  const stack = rowsOf(root, 1, open).toReversed()
  for (let row = stack.pop(); row !== undefined; row = stack.pop()) {
    rows.push(row)
    if (row.expanded === true) for (const child of rowsOf(row.node, row.level + 1, open).toReversed()) stack.push(child)
  }
  return rows
}

/** @param {Node} node @param {number} level @param {ReadonlySet<string>} open @returns {Row[]} */
function rowsOf({ children }, level, open) {
  return children.map((node, index) => ({
    node,
    level,
    position: index + 1,
    siblings: children.length,
    expanded: node.children.length === 0 ? undefined : open.has(node.path),
  }))
}

/**
 * Folders to open at first: the way to every landing, and more from the top as long as the rows stay few.
 *
 * @param {Node} root
 * @param {number} [few]
 */
export function firstOpen(root, few = 60) {
  /** @type {Set<string>} */
  const open = new Set()
  let rows = root.children.length
  const queue = [...root.children]
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at]
    if (node === undefined || node.children.length === 0) continue
    if (rows + node.children.length > few && !(node.marked && node.children.length <= few)) continue
    open.add(node.path)
    rows += node.children.length
    queue.push(...node.children)
  }
  return open
}
