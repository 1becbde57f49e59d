// Makes elements. Every text may hold what a hostile skill chose, so nothing is ever put into the page but as text.
import { namePieces, plainText } from './names.js'

export const byId = (id) => document.getElementById(id)

export function element(tag, className, ...children) {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  made.append(...children)
  return made
}

/** Pieces of characters.js; the direction of the text in them cannot reach what stands around. */
export function pieceElement(pieces, className) {
  const made = element('bdi', className)
  for (const { kind, text } of pieces) {
    made.append(kind === 'plain' ? text : element('span', kind, text))
  }
  return made
}

/** A path or name in wire form. */
export function nameElement(wire, className = 'path') {
  return pieceElement(namePieces(wire), className)
}

export function nameText(wire) {
  return plainText(namePieces(wire))
}

export function bytes(count) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = count
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return unit === 0 ? `${count} ${count === 1 ? 'byte' : 'bytes'}` : `${value.toFixed(1)} ${units[unit]}`
}

export function clock(time) {
  return new Date(time).toLocaleTimeString('en-GB')
}

/** Sets a text only when it is another one, so that nothing is announced or moved without need. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text
}

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`
