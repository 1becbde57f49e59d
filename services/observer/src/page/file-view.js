// One entry of the tree: its facts, and its content as text or as a hex dump.
import { byId, bytes, element, nameElement, pieceElement, plural } from './dom.js'
import { sentence } from './events-view.js'
import { hexDump, looksLikeText, textLines } from './file-text.js'

/** Bytes that are fetched, and lines or rows that are shown at once. */
const mostBytes = 256 * 1024
const mostLines = 1_000

const types = {
  file: 'file',
  directory: 'folder',
  symlink: 'symbolic link',
  fifo: 'FIFO',
  socket: 'socket',
  'char-device': 'character device',
  'block-device': 'block device',
}

export class FileView {
  #box = byId('file')
  #form = byId('file-form')
  #asked = 0
  #content
  #hex = false
  #shown = mostLines

  constructor() {
    this.#form.addEventListener('click', () => {
      this.#hex = !this.#hex
      this.#shown = mostLines
      this.#drawContent()
    })
  }

  clear() {
    this.#asked += 1
    this.#content = undefined
    this.#form.hidden = true
    this.#box.replaceChildren(element('p', 'soft', 'Choose an entry of the tree to look into it.'))
  }

  /** `sources` are the addresses where the content may be, in the order to try. */
  async show({ path, change, count }, finding, sources) {
    this.#asked += 1
    const asked = this.#asked
    this.#content = undefined
    this.#form.hidden = true
    this.#box.scrollTop = 0
    const body = element('div', 'content')
    this.#box.replaceChildren(nameElement(path, 'path whole'), ...facts(change, count, finding), body)
    if (change === undefined || change.type !== 'file' || change.kind === 'removed') return
    if (change.size === 0) return body.append(element('p', 'soft', 'The file is empty.'))
    body.append(element('p', 'soft', 'reading'))
    const content = await fetchFirst(sources)
    if (asked !== this.#asked) return
    if (content === undefined)
      return body.replaceChildren(element('p', 'soft', 'Its content is not kept, or cannot be read any more.'))
    this.#content = { ...content, body, size: content.size ?? change.size }
    this.#hex = !looksLikeText(content.bytes)
    this.#shown = mostLines
    this.#drawContent()
  }

  #drawContent() {
    if (this.#content === undefined) return
    const { bytes: all, size, body } = this.#content
    this.#form.hidden = false
    this.#form.textContent = this.#hex ? 'Show as text' : 'Show as hex'
    const parts = all.length < size ? [element('p', 'soft', `The first ${bytes(all.length)} of ${bytes(size)}.`)] : []
    const { made, more } = this.#hex ? hexElement(all, this.#shown) : textElement(all, this.#shown)
    parts.push(made)
    if (more > 0) {
      const button = element('button', 'quiet', `${plural(more, 'more line')}: show ${Math.min(more, mostLines)}`)
      button.type = 'button'
      button.addEventListener('click', () => {
        this.#shown += mostLines
        this.#drawContent()
      })
      parts.push(button)
    }
    body.replaceChildren(...parts)
  }
}

function facts(change, count, finding) {
  const made = []
  if (finding !== undefined) made.push(element('p', `why ${finding.kind}`, sentence(finding.text)))
  if (change === undefined) return [...made, element('p', 'soft', `A folder with ${plural(count, 'change')} in it.`)]
  const { kind, type, mode, uid, size, sha256, fields, target, delivery } = change
  const list = element('dl', 'facts')
  const add = (name, value) => list.append(element('div', '', element('dt', '', name), element('dd', '', value)))
  add('state', fields === undefined ? kind : `${kind}: ${fields.join(', ')}`)
  add('type', types[type] ?? type)
  add('mode', mode.toString(8).padStart(4, '0'))
  add('owner', String(uid))
  if (type === 'file') add('size', bytes(size))
  if (target !== undefined) add('leads to', nameElement(target))
  if (sha256 !== undefined) add('sha256', element('span', 'digest', sha256))
  if (delivery === true) add('note', 'the delivered archive itself')
  return [...made, list]
}

async function fetchFirst(sources) {
  for (const source of sources) {
    try {
      const answer = await fetch(source)
      if (!answer.ok || answer.body === null) continue
      const size = Number(answer.headers.get('x-landfall-size') ?? answer.headers.get('content-length') ?? Number.NaN)
      return { bytes: await firstBytes(answer.body), ...(Number.isNaN(size) ? {} : { size }) }
    } catch {
      continue // The observer is away; the next source may be cached, or there is none.
    }
  }
  return undefined
}

async function firstBytes(stream) {
  const reader = stream.getReader()
  const parts = []
  let length = 0
  while (length < mostBytes) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
  }
  await reader.cancel()
  const all = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all.subarray(0, mostBytes)
}

function textElement(all, most) {
  const { lines, more } = textLines(all, most)
  const made = element('div', 'text')
  for (const [index, pieces] of lines.entries()) {
    const line = element('div', 'line', pieceElement(pieces, ''))
    line.dataset.number = String(index + 1)
    made.append(line)
  }
  return { made, more }
}

function hexElement(all, most) {
  const width = byId('file').clientWidth < 520 ? 8 : 16
  const { rows, more } = hexDump(all, width, most)
  const made = element('div', 'hex')
  for (const { offset, hex, text } of rows) {
    made.append(element('div', '', element('span', 'offset', offset), hex, element('span', 'ascii', text)))
  }
  return { made, more }
}
