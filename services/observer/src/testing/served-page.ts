import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApi } from '../api.ts'
import { systemClock } from '../clock.ts'
import { defaultLimits } from '../limits.ts'
import { listen } from '../listen.ts'
import { LiveFeed } from '../live-feed.ts'
import { LivingVictim } from '../live-page/living-victim.ts'
import { PageState } from '../live-page/page-state.ts'
import { Narrator } from '../narrator.ts'
import { pageRoutes } from '../page-routes.ts'
import { ObservationRegistry } from '../registry.ts'
import { Tree } from './tree.ts'

/** The observer's page as it is served, with a state that a test makes up and a tree on disk as the living victim. */
export class ServedPage implements AsyncDisposable {
  readonly page: PageState
  readonly feed: LiveFeed
  readonly narrator: Narrator
  readonly tree: Tree
  readonly port: number
  readonly url: string
  readonly #server: Server
  readonly #registry: ObservationRegistry

  private constructor(
    parts: Pick<ServedPage, 'page' | 'feed' | 'tree'> & { server: Server; registry: ObservationRegistry },
  ) {
    this.page = parts.page
    this.feed = parts.feed
    this.tree = parts.tree
    this.#server = parts.server
    this.#registry = parts.registry
    this.narrator = new Narrator({ info: () => undefined, warn: () => undefined }, this.feed, this.page)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    this.port = (parts.server.address() as AddressInfo).port
    this.url = `http://127.0.0.1:${this.port}/`
  }

  static async start(options: { mode?: 'manual' | 'run'; port?: number } = {}): Promise<ServedPage> {
    const { mode = 'manual', port = 0 } = options
    const tree = new Tree()
    const page: PageState = new PageState({
      clock: systemClock,
      version: '0.0.0',
      mode,
      ...(mode === 'run' ? { run: 'r-1' } : {}),
      onNews: (news) => feed.news(news),
    })
    const feed = new LiveFeed(systemClock, page.boot)
    const registry = new ObservationRegistry({
      clock: systemClock,
      limits: defaultLimits,
      hold: () => Promise.resolve(tree.hold()),
      events: { begun: () => undefined, ended: () => undefined, dropped: () => undefined },
    })
    const living = new LivingVictim()
    const api = createApi({
      registry,
      version: '0.0.0',
      allowedHosts: [],
      pages: pageRoutes({ clock: systemClock, feed, page, readLive: living.read }),
      onFault: (error) => process.stderr.write(`${String(error)}\n`),
    })
    const server = await listen(api, '127.0.0.1', port)
    const served = new ServedPage({ page, feed, tree, server, registry })
    living.met(tree.hold())
    return served
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.feed[Symbol.dispose]()
    this.#registry[Symbol.dispose]()
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
    this.tree[Symbol.dispose]()
  }
}
