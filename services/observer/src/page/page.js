// Shows the observer's events, newest first. Every text may hold what a hostile skill chose (names of files),
// so nothing is ever put into the page but as text.

const most = 500
const words = {
  landed: 'LANDED',
  trace: 'trace',
  ok: 'expected',
  decoy: 'decoy',
  change: 'change',
  begin: 'begin',
  end: 'end',
  blind: 'not seen',
}

const list = document.getElementById('events')
const watching = document.getElementById('watching')
const connection = document.getElementById('connection')
const counts = new Map()

function element(tag, className, text) {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function item({ kind, time, trial, text, path }) {
  const made = element('li', Object.hasOwn(words, kind) ? kind : '', '')
  const facts = element('p', 'facts', '')
  facts.append(element('strong', '', words[kind] ?? kind), ` ${time.slice(11, 19)} UTC · ${trial}`)
  made.append(facts, element('p', 'text', text.replace(/^(LANDED|trace|ok|decoy) /, '')))
  if (path !== undefined) made.append(element('p', 'path', path))
  return made
}

function count(kind) {
  const target = document.getElementById(`count-${kind}`)
  if (target === null) return
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
  target.textContent = String(counts.get(kind))
  target.parentElement.classList.add('some')
}

function resetCounts() {
  counts.clear()
  for (const target of document.querySelectorAll('.count')) {
    target.classList.remove('some')
    target.querySelector('strong').textContent = '0'
  }
}

function show(event) {
  if (event.kind === 'begin') resetCounts()
  if (event.kind === 'begin' || event.kind === 'end') watching.textContent = event.text
  count(event.kind)
  list.prepend(item(event))
  while (list.childElementCount > most) list.lastElementChild.remove()
}

function state(name, text) {
  connection.dataset.state = name
  connection.textContent = text
}

const source = new EventSource('events')
source.addEventListener('open', () => state('live', 'live'))
source.addEventListener('error', () => state('lost', 'connection lost, trying again'))
source.addEventListener('message', (message) => show(JSON.parse(message.data)))

document.getElementById('changes').addEventListener('change', ({ target }) => {
  list.classList.toggle('all', target.checked)
})
