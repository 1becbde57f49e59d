import { compareManifests, quotePath } from '@landfall/bundle/core'

/** What is shown. Text only: nothing of a manifest ever becomes markup. */

export function showManifest(place, { sha256, files, total_bytes }) {
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}, ${total_bytes} bytes`
  place.replaceChildren(element('p', 'digest', sha256), element('p', '', count))
}

export function showRefusal(place, message) {
  place.replaceChildren(element('p', 'refused', message))
}

export function showProgress(place, text) {
  place.replaceChildren(element('p', '', text))
}

/** Both manifests, or a hint as long as one of them is missing. */
export function showDifference(place, expected, actual) {
  if (expected === undefined || actual === undefined) {
    place.replaceChildren(element('p', 'hint', 'Both sides are needed.'))
    return
  }
  const { matches, added, removed, changed } = compareManifests(expected, actual)
  const list = document.createElement('ul')
  const rows = { ADDED: added, REMOVED: removed, CHANGED: changed }
  for (const [word, paths] of Object.entries(rows)) {
    for (const path of paths) {
      const row = document.createElement('li')
      row.append(element('b', '', word), ' ', element('bdi', '', quotePath(path)))
      list.append(row)
    }
  }
  const verdict = matches ? 'The same: no path and no content differs.' : 'Not the same.'
  place.replaceChildren(element('p', matches ? 'matches' : 'differs', verdict), list)
}

function element(name, className, text) {
  const node = document.createElement(name)
  if (className !== '') node.className = className
  node.textContent = text
  return node
}
