// The events, newest first. Kept up to a limit; of what is older the export has what the observer keeps.
import { pieces } from './characters.js'
import { byId, clock, element, nameElement, nameText, pieceElement } from './dom.js'
import { VirtualList } from './virtual-list.js'

const most = 20_000
const words = {
  landed: 'LANDED',
  trace: 'trace',
  ok: 'expected',
  decoy: 'decoy',
  change: 'change',
  live: 'live',
  begin: 'begin',
  end: 'end',
  blind: 'not seen',
}
const choices = {
  all: () => true,
  told: ({ kind }) => kind !== 'change',
  landed: ({ kind }) => kind === 'landed',
  decoy: ({ kind }) => kind === 'decoy',
  live: ({ kind }) => kind === 'live',
  blind: ({ kind }) => kind === 'blind',
}

/** What the sentence of an event says beyond its kind. */
export const sentence = (text) => text.replace(/^(?:LANDED |trace |ok |decoy |not seen: )/, '')

export class EventsView {
  #all = []
  #choice = byId('kinds')
  #list = new VirtualList(byId('events'), (event) => this.#element(event))
  #waiting = 0

  constructor() {
    this.#choice.addEventListener('change', () => this.#draw())
  }

  /** An event has come. Many that come together are drawn once. */
  add(event) {
    this.#all.unshift(event)
    if (this.#all.length > most) this.#all.length = most
    this.#waiting += this.#wanted(event) ? 1 : 0
    if (this.#waiting === 1) requestAnimationFrame(() => this.#draw(this.#waiting))
  }

  /** Another life of the observer: its events count anew. */
  clear() {
    this.#all = []
    this.#draw()
  }

  #wanted(event) {
    return (choices[this.#choice.value] ?? choices.all)(event)
  }

  #draw(added = 0) {
    this.#waiting = 0
    this.#list.show(
      this.#all.filter((event) => this.#wanted(event)),
      added,
    )
  }

  #element({ kind, time, trial, text, path }) {
    const made = element('div', `row event ${Object.hasOwn(words, kind) ? kind : ''}`)
    made.setAttribute('role', 'listitem')
    const head = element('p', 'head', element('span', 'time', clock(time)), element('strong', '', words[kind] ?? kind))
    head.append(pieceElement(pieces(sentence(text)), 'said'))
    made.append(head, element('p', 'where', ...(path === undefined ? [trial] : [nameElement(path)])))
    made.title = path === undefined ? text : `${text} ${nameText(path)}`
    return made
  }
}
