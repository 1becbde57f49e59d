// The tree of what changed, as the ARIA pattern has it: one stop for the Tab key, arrow keys within.
import { bytes, element, nameElement, nameText } from './dom.js'
import { buildTree, firstOpen, isTold, visibleRows } from './tree-model.js'
import { VirtualList } from './virtual-list.js'

const marks = { landed: 'landed', trace: 'trace', ok: 'expected', decoy: 'decoy' }

export class TreeView {
  #box
  #list
  #onOpen
  #root
  #open
  #active
  #chosen
  /** Folders that somebody opened or closed by hand stay so when the tree changes. */
  #closed = new Set()

  /** `onOpen` is told of the node that shall be looked into. */
  constructor(box, onOpen) {
    this.#box = box
    this.#onOpen = onOpen
    this.#list = new VirtualList(box, (row, index) => this.#element(row, index))
    box.addEventListener('keydown', (event) => this.#key(event))
    box.addEventListener('click', (event) => this.#click(event))
    box.addEventListener('focus', () => {
      if (box.matches(':focus-visible')) this.#activate(this.#index())
    })
  }

  show(changes, byPath) {
    this.#root = buildTree(changes, byPath)
    const first = firstOpen(this.#root)
    this.#open = new Set([...(this.#open ?? []), ...first].filter((path) => !this.#closed.has(path)))
    this.#draw()
  }

  /** Another trial: nothing of the old choice holds. */
  reset() {
    this.#open = undefined
    this.#closed.clear()
    this.#active = undefined
    this.#chosen = undefined
  }

  /** Opens the way to a path and chooses it. Answers whether it is in the tree. */
  choose(path) {
    for (let at = path; at !== '/' && at !== ''; at = at.slice(0, at.lastIndexOf('/'))) this.#open.add(at)
    this.#draw()
    const index = this.#list.rows.findIndex(({ node }) => node.path === path)
    if (index < 0) return false
    this.#chosen = path
    this.#activate(index)
    this.#onOpen(this.#list.rows[index].node)
    return true
  }

  #draw() {
    this.#list.show(visibleRows(this.#root, this.#open))
    const row = this.#list.rows.findIndex(({ node }) => node.path === this.#active)
    if (row < 0) this.#box.removeAttribute('aria-activedescendant')
  }

  #index() {
    return Math.max(
      0,
      this.#list.rows.findIndex(({ node }) => node.path === this.#active),
    )
  }

  #activate(index) {
    const row = this.#list.rows[index]
    if (row === undefined) return
    this.#active = row.node.path
    this.#list.show(this.#list.rows)
    this.#list.reveal(index)
    this.#box.setAttribute('aria-activedescendant', `tree-${index}`)
  }

  #toggle(row, open) {
    const { path } = row.node
    if (open) this.#open.add(path)
    else this.#open.delete(path)
    if (open) this.#closed.delete(path)
    else this.#closed.add(path)
    this.#draw()
  }

  #pick(index) {
    const row = this.#list.rows[index]
    if (row === undefined) return
    this.#chosen = row.node.path
    this.#activate(index)
    this.#onOpen(row.node)
  }

  /** By the place of the pointer: the row that was pressed may have been drawn anew before it was let go. */
  #click(event) {
    const index = this.#list.indexAt(event.clientY)
    const row = this.#list.rows[index]
    if (row?.expanded !== undefined) this.#toggle(row, !row.expanded)
    this.#pick(index)
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const { rows, page } = this.#list
    const at = this.#index()
    const row = rows[at]
    const moves = {
      ArrowDown: () => this.#activate(Math.min(rows.length - 1, at + 1)),
      ArrowUp: () => this.#activate(Math.max(0, at - 1)),
      Home: () => this.#activate(0),
      End: () => this.#activate(rows.length - 1),
      PageDown: () => this.#activate(Math.min(rows.length - 1, at + page)),
      PageUp: () => this.#activate(Math.max(0, at - page)),
      ArrowRight: () => this.#right(row, at),
      ArrowLeft: () => this.#left(row, at),
      Enter: () => this.#pick(at),
      ' ': () => this.#pick(at),
    }
    const move = moves[event.key]
    if (row === undefined) return
    if (move !== undefined) {
      event.preventDefault()
      move()
    } else if (event.key.length === 1) this.#typed(event.key.toLowerCase(), at)
  }

  #right(row, at) {
    if (row.expanded === false) {
      this.#toggle(row, true)
      this.#activate(at)
    } else if (row.expanded === true) this.#activate(at + 1)
  }

  #left(row, at) {
    if (row.expanded === true) {
      this.#toggle(row, false)
      this.#activate(at)
      return
    }
    const above = this.#list.rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
    if (above >= 0) this.#activate(above)
  }

  /** The next row whose name begins with the letter. */
  #typed(letter, at) {
    const { rows } = this.#list
    for (let step = 1; step <= rows.length; step += 1) {
      const index = (at + step) % rows.length
      if (rows[index].node.name.toLowerCase().startsWith(letter)) return this.#activate(index)
    }
  }

  #element({ node, level, position, siblings, expanded }, index) {
    const made = element('div', 'row')
    made.id = `tree-${index}`
    made.setAttribute('role', 'treeitem')
    made.setAttribute('aria-level', String(level))
    made.setAttribute('aria-posinset', String(position))
    made.setAttribute('aria-setsize', String(siblings))
    made.setAttribute('aria-selected', String(node.path === this.#chosen))
    if (expanded !== undefined) made.setAttribute('aria-expanded', String(expanded))
    if (node.path === this.#active) made.classList.add('active')
    made.style.setProperty('--level', String(Math.min(level - 1, 12)))
    made.append(element('span', 'twist', expanded === undefined ? '' : expanded ? '▾' : '▸'), sign(node))
    made.append(nameElement(node.name, `name ${node.change === undefined ? 'plain' : ''}`))
    if (node.mark !== undefined) made.append(element('span', `tag ${node.mark}`, marks[node.mark]))
    else if (node.marked && expanded === false) made.append(element('span', 'tag landed', 'landed below'))
    const { change } = node
    const facts =
      expanded === undefined && change?.type === 'file'
        ? bytes(change.size)
        : expanded === undefined
          ? ''
          : `${node.count}`
    made.append(element('span', 'size', facts))
    made.title = nameText(node.path)
    return made
  }
}

const kinds = { added: ['+', 'added'], changed: ['~', 'changed'], removed: ['−', 'removed'] }

function sign(node) {
  const [text, word] = isTold(node) ? kinds[node.change.kind] : ['', '']
  const made = element('span', `sign ${word}`, text)
  if (word !== '') made.append(element('span', 'unseen', word))
  return made
}
