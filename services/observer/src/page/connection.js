// Keeps the page in step with the observer: the state, asked for whenever there is news of it, and the events.
import { byId } from './dom.js'

const retryMs = 2_000

/** `on.state` is given the changed parts, `on.event` each event once, `on.missed` how many
 * came and went before the one that is given, `on.restart` that another observer answers now. */
export function connect(on) {
  let boot = ''
  let revision = 0
  let newest = 0
  let asking = false
  let again = false

  const show = (state, text) => {
    byId('connection').dataset.state = state
    byId('connection').textContent = text
  }

  async function refresh() {
    if (asking) {
      again = true
      return
    }
    asking = true
    try {
      const answer = await fetch(`state?boot=${encodeURIComponent(boot)}&after=${revision}`)
      if (!answer.ok) throw new Error(`the state was answered with ${answer.status}`)
      const state = await answer.json()
      if (boot !== '' && state.boot !== boot) on.restart()
      boot = state.boot
      revision = state.revision
      on.state(state)
    } catch {
      setTimeout(() => void refresh(), retryMs)
    } finally {
      asking = false
    }
    if (again) {
      again = false
      await refresh()
    }
  }

  let source
  const open = () => {
    source = new EventSource('events')
    source.addEventListener('open', () => {
      show('live', 'live')
      void refresh()
    })
    source.addEventListener('error', () => {
      show('lost', 'connection lost, trying again')
      // A refused stream is not tried again by the browser.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, retryMs)
    })
    source.addEventListener('state', (message) => {
      const news = JSON.parse(message.data)
      if (news.boot !== boot || news.revision !== revision) void refresh()
    })
    source.addEventListener('message', (message) => {
      const life = message.lastEventId.split('.')[0]
      if (life !== eventLife) {
        eventLife = life
        newest = 0
        on.newEvents()
      }
      const event = JSON.parse(message.data)
      if (event.id <= newest) return
      miss(event.id - newest - 1, event)
      newest = event.id
      on.event(event)
    })
  }
  let eventLife = ''
  /** Of what is no longer kept only some may be missing in between, so what comes together is told once. */
  let missed = 0
  const miss = (count, event) => {
    if (missed === 0 && count > 0)
      setTimeout(() => {
        on.missed(missed, event)
        missed = 0
      }, 200)
    missed += count
  }
  open()
}
