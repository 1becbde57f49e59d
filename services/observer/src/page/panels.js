// The panels that show the state of a trial. Each draws what it is given and keeps nothing.
import { pieces } from './characters.js'
import { byId, bytes, clock, element, nameElement, nameText, pieceElement, plural, setText } from './dom.js'
import { sentence } from './events-view.js'
import { VirtualList } from './virtual-list.js'

const mostFindings = 200

export function drawVictim(trial, mode) {
  if (trial === null) {
    setText(byId('watching'), mode === 'run' ? 'No trial yet.' : 'No victim yet.')
    byId('facts').replaceChildren()
    return
  }
  const { about, state, since, until, entries, fixtures } = trial
  const name = trial.trial === 'manual' ? 'the victim that is driven by hand' : (about?.id ?? trial.trial)
  const said = { watching: 'Watching', ended: 'Ended:', dropped: 'Given up:' }
  setText(byId('watching'), `${said[state]} ${name}`)
  byId('watching').dataset.state = state
  const list = []
  const add = (term, value) => list.push(element('div', '', element('dt', '', term), element('dd', '', value)))
  if (about !== undefined) {
    add('host', about.host)
    add('fixture', about.fixture)
    add('channel', about.channel)
    add('user', about.user)
  } else if (fixtures.length > 0) add('fixtures', fixtures.slice(0, 5).join(', '))
  add('since', clock(since))
  if (until !== undefined) add('until', clock(until))
  add('entries', entries.toLocaleString('en'))
  byId('facts').replaceChildren(...list)
}

export function drawCounts(trial) {
  const touched = trial?.decoys.filter(({ state, uses }) => uses.length > 0 || isHarmed(state)).length ?? 0
  const values = {
    landed: trial?.counts.landed ?? 0,
    trace: trial?.counts.trace ?? 0,
    change: trial?.counts.change ?? 0,
    decoys: touched,
    blind: (trial?.blindness.length ?? 0) + (trial?.losses.length ?? 0),
  }
  for (const [name, value] of Object.entries(values)) {
    const target = byId(`count-${name}`)
    setText(target, value.toLocaleString('en'))
    target.parentElement.classList.toggle('some', value > 0)
  }
}

/** `onChoose` is called with the path of a finding that somebody wants to look into. */
export function drawLandings(trial, mode, onChoose) {
  const found = trial?.findings.filter(({ kind }) => kind === 'landed') ?? []
  const shown = found.slice(0, mostFindings)
  byId('landings').replaceChildren(...shown.map((finding) => landing(finding, onChoose)))
  const rest = (trial?.counts.landed ?? 0) - shown.length
  if (rest > 0)
    byId('landings').append(element('li', 'soft', `and ${plural(rest, 'more landing')}: the export has them`))
  byId('no-landings').hidden = found.length > 0
  byId('hint').hidden = mode === 'run'
  setText(
    byId('no-landings-text'),
    trial?.state === 'watching' && mode === 'run'
      ? 'What has landed is known at the end of the trial.'
      : 'Nothing has landed.',
  )
}

function landing({ kind, text, path }, onChoose) {
  const [name, ...meaning] = sentence(text).split(': ')
  const made = element('li', kind)
  made.append(pieceElement(pieces(meaning.join(': ')), 'said'))
  made.append(element('p', 'site', pieceElement(pieces(name), '')))
  if (path !== undefined) {
    const button = element('button', 'link', nameElement(path))
    button.type = 'button'
    button.addEventListener('click', () => onChoose(path))
    made.append(button)
  }
  return made
}

const isHarmed = (state) => state === 'changed' || state === 'deleted'

const states = {
  intact: 'intact',
  changed: 'changed',
  deleted: 'deleted',
  missing: 'was never there',
  unknown: 'could not be looked at',
  watching: 'known at the end',
}
const uses = {
  read: 'read',
  opened: 'opened',
  copied: 'copied to',
  'hard-linked': 'hard link at',
  linked: 'symbolic link at',
}

export function drawDecoys(trial) {
  const decoys = trial?.decoys ?? []
  byId('decoys').replaceChildren(
    ...(decoys.length === 0 ? [element('li', 'soft', 'No decoys.')] : decoys.map((decoy) => decoyItem(decoy))),
  )
}

function decoyItem({ name, path, state, uses: list, moreUses }) {
  const touched = list.some(({ how }) => how !== 'opened')
  const made = element('li', isHarmed(state) || touched ? 'touched' : state === 'intact' ? 'intact' : '')
  const tag = (text, kind) => element('span', `tag ${kind}`, text)
  const head = element('p', 'head', element('strong', '', name))
  const words = new Set(list.map(({ how }) => tagOf[how]))
  if (state !== 'intact' || words.size === 0)
    head.append(tag(states[state], isHarmed(state) ? 'landed' : state === 'intact' ? 'ok' : ''))
  for (const word of words) head.append(tag(word, 'decoy'))
  made.append(head, nameElement(path))
  for (const use of list.slice(0, 5)) {
    const line = element('p', 'use', `${uses[use.how]} `)
    if (use.path !== undefined) line.append(nameElement(use.path))
    if (use.count !== undefined) line.append(`at least ${plural(use.count, 'time')}`)
    if (use.gone === true) line.append(' (gone again)')
    made.append(line)
  }
  const rest = Math.max(0, list.length - 5) + moreUses
  if (rest > 0) made.append(element('p', 'use', `and ${plural(rest, 'more use')}`))
  return made
}

const tagOf = { read: 'read', opened: 'opened', copied: 'copied', 'hard-linked': 'hard link', linked: 'linked' }

export function drawBlind(trial) {
  if (trial === null) return byId('blind').replaceChildren(element('p', 'soft', 'Nothing is watched.'))
  const { blindness, losses, state } = trial
  const items = [
    ...losses.map(({ kind, detail, path }) => ({ kind: `live events: ${kind}`, detail, path })),
    ...blindness,
  ]
  if (items.length === 0) {
    const text =
      state === 'watching' && trial.trial !== 'manual'
        ? 'Nothing so far. The walk at the end may add to it.'
        : 'Nothing is known to have been missed.'
    return byId('blind').replaceChildren(element('p', 'soft', text))
  }
  const shown = items.slice(0, 50).map(({ kind, detail, path }) => {
    const made = element('li', '', element('strong', '', kind), ' ', pieceElement(pieces(detail), ''))
    if (path !== undefined) made.append(' ', nameElement(path))
    return made
  })
  if (items.length > 50) shown.push(element('li', 'soft', `and ${plural(items.length - 50, 'more')}`))
  const lead = element('p', '', 'In these places something may have happened that is not shown:')
  byId('blind').replaceChildren(lead, element('ul', 'spots', ...shown))
}

export class ProcessesPanel {
  #list = new VirtualList(byId('processes'), (process) => this.#element(process))

  show(processes) {
    if (processes === null || processes === undefined) {
      setText(byId('sampled'), 'nothing was sampled')
      byId('totals').replaceChildren()
      this.#list.show([])
      return
    }
    const { list, unlisted, samples, largestGapMs, intervalMs, totals } = processes
    setText(
      byId('sampled'),
      `sampled every ${Math.round(intervalMs)} ms, ${plural(samples, 'time')}; longest gap ${Math.round(largestGapMs)} ms` +
        (unlisted > 0 ? `; ${plural(unlisted, 'more process', 'more processes')} not listed` : ''),
    )
    byId('totals').replaceChildren(...totalItems(totals))
    this.#list.show(list.toReversed())
  }

  #element({ pid, ppid, name, commands, uid, before, firstSeenMs, lastSeenMs, cpuSeconds, peakBytes, writtenBytes }) {
    const made = element('div', 'row process')
    made.setAttribute('role', 'listitem')
    const last = commands.at(-1)
    const argv = (last?.argv ?? []).join(' ')
    const command = argv === '' ? `[${name}]` : argv
    made.append(element('p', 'head', nameElement(command, 'command'), last?.cut === true ? ' …' : ''))
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`
    const facts = [
      `pid ${pid} of ${ppid}`,
      `uid ${uid}`,
      before === true ? 'there at the begin' : `${seconds(firstSeenMs)} to ${seconds(lastSeenMs)}`,
      `${cpuSeconds.toFixed(2)} s CPU`,
      bytes(peakBytes),
      ...(writtenBytes === undefined ? [] : [`${bytes(writtenBytes)} written`]),
    ]
    made.append(element('p', 'where', facts.join(' · ')))
    made.title = `${commands.map(({ argv: all }) => nameText(all.join(' '))).join('  →  ')}\n${facts.join(' · ')}`
    return made
  }
}

function totalItems(totals) {
  const items = [
    ['CPU time', `${totals.cpuSeconds.toFixed(2)} s`, '≥'],
    ['largest process', bytes(totals.peakProcessBytes), '≥'],
    ['together, shared pages counted twice', bytes(totals.peakSumBytes), ''],
    ['processes at once', totals.peakProcesses.toLocaleString('en'), '≥'],
    ['handed to write calls', bytes(totals.writtenBytes), '≥'],
    ['written to disk', bytes(totals.diskBytes), '≥'],
    ['in its tmpfs', totals.tmpfsBytes === undefined ? undefined : bytes(totals.tmpfsBytes), '≥'],
    ['new inodes', totals.newInodes?.toLocaleString('en'), '≥'],
  ]
  return items.flatMap(([term, value, sign]) =>
    value === undefined
      ? []
      : [element('div', '', element('dt', '', term), element('dd', '', sign === '' ? value : `${sign} ${value}`))],
  )
}

export class SinkholePanel {
  #list = new VirtualList(byId('sinkhole'), (hit) => this.#element(hit))

  show(hits, state) {
    byId('sinkhole-panel').hidden = state === 'off'
    const said = {
      off: '',
      connected: 'listening',
      lost: 'the sinkhole does not answer; what was sent meanwhile may be missing',
    }
    setText(byId('sinkhole-state'), said[state])
    this.#list.show(hits.toReversed())
  }

  #element({ time, kind, text, trial, fixture, site }) {
    const made = element('div', `row event ${kind === 'sent' ? 'landed' : ''}`)
    made.setAttribute('role', 'listitem')
    const head = element('p', 'head', element('span', 'time', clock(time)), element('strong', '', kind))
    head.append(pieceElement(pieces(text), 'said'))
    const where = [trial ?? 'of no trial', ...(fixture === undefined ? [] : [`${fixture}/${site}`])]
    made.append(head, element('p', 'where', where.join(' · ')))
    made.title = text
    return made
  }
}
