// A list of rows of one height, of which only those in view are in the page: ten thousand cost as much as thirty.
import { element } from './dom.js'

const around = 8

export class VirtualList {
  #box
  #inner = element('div', 'inner')
  #make
  #rows = []
  #height = 0
  #first = -1
  #last = -1

  /** `make` builds the element of one row. The height of a row is the custom property `--row` of the box, in pixels. */
  constructor(box, make) {
    this.#box = box
    this.#make = make
    this.#inner.setAttribute('role', 'presentation')
    box.replaceChildren(this.#inner)
    box.addEventListener('scroll', () => this.#draw(), { passive: true })
    new ResizeObserver(() => this.#measure()).observe(box)
  }

  get rows() {
    return this.#rows
  }

  /** Shows other rows. With `added` rows at the top, what is in view stays where it is. */
  show(rows, added = 0) {
    this.#rows = rows
    this.#measure(true)
    if (added > 0 && this.#box.scrollTop > this.#height) this.#box.scrollTop += added * this.#height
  }

  /** How many rows fit in view. */
  get page() {
    return Math.max(1, Math.floor(this.#box.clientHeight / (this.#height || 1)) - 1)
  }

  /** The row at a height of the window; there may be none. */
  indexAt(clientY) {
    return Math.floor((clientY - this.#inner.getBoundingClientRect().top) / (this.#height || 1))
  }

  reveal(index) {
    const top = index * this.#height
    if (top < this.#box.scrollTop) this.#box.scrollTop = top
    const below = top + this.#height - this.#box.clientHeight
    if (below > this.#box.scrollTop) this.#box.scrollTop = below
    this.#draw()
  }

  #measure(force = false) {
    const height = Number.parseFloat(getComputedStyle(this.#box).getPropertyValue('--row')) || 32
    if (height !== this.#height) force = true
    this.#height = height
    const whole = `${this.#rows.length * height}px`
    if (this.#inner.style.height !== whole) this.#inner.style.height = whole
    this.#draw(force)
  }

  #draw(force = false) {
    const first = Math.max(0, Math.floor(this.#box.scrollTop / this.#height) - around)
    const inView = Math.ceil(this.#box.clientHeight / this.#height) + 2 * around
    const last = Math.min(this.#rows.length, first + inView)
    if (!force && first === this.#first && last === this.#last) return
    this.#first = first
    this.#last = last
    const made = []
    for (let index = first; index < last; index += 1) {
      const row = this.#make(this.#rows[index], index)
      row.style.top = `${index * this.#height}px`
      row.setAttribute('aria-posinset', row.getAttribute('aria-posinset') ?? String(index + 1))
      row.setAttribute('aria-setsize', row.getAttribute('aria-setsize') ?? String(this.#rows.length))
      made.push(row)
    }
    this.#inner.replaceChildren(...made)
  }
}
