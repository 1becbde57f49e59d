// The observer's page. Every text may hold what a hostile skill chose (names of files, their content, arguments of
// processes), so nothing is ever put into the page but as text, with what would not be seen made visible.
import { connect } from './connection.js'
import { byId, clock, element, plural, setText } from './dom.js'
import { EventsView, sentence } from './events-view.js'
import { FileView } from './file-view.js'
import { drawBlind, drawCounts, drawDecoys, drawLandings, drawVictim, ProcessesPanel, SinkholePanel } from './panels.js'
import { TreeView } from './tree-view.js'

/** What the observer says of the present trial; a past one that is looked at lies in `past`. */
let observer = { mode: 'manual', sinkhole: 'off' }
let present = { trial: null, changes: { rows: [], more: 0 }, processes: null, sinkhole: [] }
let past
let shownKey = ''

const events = new EventsView()
const file = new FileView()
const processes = new ProcessesPanel()
const sinkhole = new SinkholePanel()
const which = byId('which')
const tree = new TreeView(byId('tree'), (node) => void look(node))

const shown = () => past ?? present
const keyOf = ({ trial, since }) => `${trial} ${since}`

function look(node) {
  const { trial } = shown()
  const finding = trial?.findings.find(({ path }) => path === node.path)
  const sources = []
  if (node.change?.sha256 !== undefined) sources.push(`evidence/${node.change.sha256}`)
  if (past === undefined && trial?.trial === 'manual') sources.unshift(`content?path=${encodeURIComponent(node.path)}`)
  return file.show(node, finding, sources)
}

function choose(path) {
  if (tree.choose(path)) byId('tree').focus({ preventScroll: false })
}

function drawTrial() {
  const { trial } = shown()
  const { mode } = observer
  const key = trial === null ? '' : keyOf(trial)
  if (key !== shownKey) {
    shownKey = key
    tree.reset()
    file.clear()
  }
  drawVictim(trial, mode)
  drawCounts(trial)
  drawLandings(trial, mode, choose)
  drawDecoys(trial)
  drawBlind(trial)
  const link = byId('export')
  link.hidden = trial === null
  if (trial !== null) link.href = `trials/${trial.trial}/export?since=${encodeURIComponent(trial.since)}`
}

function drawChanges() {
  const { trial, changes } = shown()
  const rank = ['ok', 'trace', 'decoy', 'landed']
  const marks = new Map()
  for (const { kind, path } of trial?.findings ?? []) {
    if (path !== undefined && rank.indexOf(kind) > rank.indexOf(marks.get(path))) marks.set(path, kind)
  }
  tree.show(changes.rows, marks)
  const note =
    changes.rows.length === 0
      ? trial?.state === 'watching' && observer.mode === 'run'
        ? 'known at the end of the trial'
        : 'nothing so far'
      : changes.more > 0
        ? `and ${plural(changes.more, 'more change')} that ${changes.more === 1 ? 'is' : 'are'} not listed`
        : ''
  setText(byId('tree-note'), note)
}

function drawPast(list) {
  const options = list.map((trial) => {
    const landed = trial.counts.landed > 0 ? `, ${plural(trial.counts.landed, 'landing')}` : ''
    const name = trial.about === undefined ? trial.trial : `${trial.about.fixture} on ${trial.about.host}`
    const option = element('option', '', `${clock(trial.since)} ${name}${landed}`)
    option.value = keyOf(trial)
    return option
  })
  const chosen = which.value
  which.replaceChildren(which.options[0], ...options)
  which.value = options.some(({ value }) => value === chosen) ? chosen : ''
  if (which.value === '') lookBack(undefined)
}

function lookBack(view) {
  if (past === view) return
  past = view
  drawAll()
}

/** One sinkhole serves all trials of a run; what another one sent is no matter of this page. */
function drawSinkhole() {
  const { trial } = shown()
  const hits = present.sinkhole.filter((hit) => observer.mode === 'manual' || hit.trial === trial?.trial)
  sinkhole.show(hits, observer.sinkhole)
}

function drawAll() {
  drawSinkhole()
  drawTrial()
  drawChanges()
  processes.show(shown().processes)
}

function drawObserver() {
  const note = byId('run-note')
  note.hidden = observer.mode !== 'run'
  setText(
    note,
    `This observer is part of ${observer.run === undefined ? 'a run' : `the run ${observer.run}`} and watches one trial at a time. ` +
      'Trials that run at the same time have observers, and pages, of their own.',
  )
  setText(
    byId('footer'),
    `${observer.mode === 'manual' ? 'What is seen of a living victim is a demonstration. ' : ''}Verdicts come from a run. ` +
      `Observer ${observer.version ?? ''}.`,
  )
}

which.addEventListener('change', async () => {
  const chosen = which.value
  if (chosen === '') return lookBack(undefined)
  const [trial, since] = chosen.split(' ')
  const answer = await fetch(`trials/${trial}?since=${encodeURIComponent(since)}`).catch(() => undefined)
  if (which.value !== chosen) return
  if (answer?.ok === true) return lookBack({ processes: null, ...(await answer.json()) })
  which.value = ''
  lookBack(undefined)
})

connect({
  restart: () => {
    which.value = ''
    past = undefined
  },
  newEvents: () => events.clear(),
  missed: (count, { time, trial }) => {
    const text = `${plural(count, 'event')} that this page was not told, and that the observer no longer keeps`
    events.add({ kind: 'blind', time, trial, text })
  },
  event: (event) => {
    events.add(event)
    if (event.kind === 'landed') setText(byId('announce'), `Landed: ${sentence(event.text)}`)
  },
  state: (state) => {
    observer = state.observer
    drawObserver()
    if (state.sinkhole !== undefined) present = { ...present, sinkhole: state.sinkhole }
    for (const part of ['trial', 'changes', 'processes']) {
      if (state[part] !== undefined) present = { ...present, [part]: state[part] }
    }
    if (state.past !== undefined) drawPast(state.past)
    drawSinkhole()
    if (past !== undefined) return
    if (state.trial !== undefined) drawTrial()
    if (state.changes !== undefined || state.trial !== undefined) drawChanges()
    if (state.processes !== undefined) processes.show(present.processes)
  },
})
