import { existsSync, rmSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { LiveWatch } from '../../services/observer/src/live/live-watch.ts'

/**
 * Loaded before the observer in an image of a test's own, and nowhere else: ends the watching thread when a file is
 * put in the observer's evidence folder from outside. It stands in that image at the same path as here.
 */
const file = '/evidence/end-the-watcher'
let watch: LiveWatch | undefined

// oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
LiveWatch.prototype.begin = new Proxy(LiveWatch.prototype.begin, {
  apply: (begin, self: LiveWatch, args: Parameters<LiveWatch['begin']>) => {
    watch = self
    return begin.apply(self, args)
  },
})

if (isMainThread) {
  setInterval(() => {
    if (!existsSync(file)) return
    rmSync(file)
    void watch?.kill()
  }, 50)
}
