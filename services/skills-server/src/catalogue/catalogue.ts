import type { ServedArchive as ArchiveRecord, Revision } from '@landfall/contracts'
import type { Builders } from '../fixtures/index.ts'
import type { Contents } from './contents.ts'
import { contentsOf } from './contents.ts'
import { sha256 } from './digest.ts'
import { ReadCounter } from './read-counter.ts'
import type { Resource } from './resources.ts'
import { archiveUri } from './uris.ts'
import { bothRevisions } from './view.ts'

/**
 * The catalogue of one endpoint: which fixtures, stamped with which canary, in which revisions, and how often
 * each of its resources was read.
 *
 * Nothing is built before somebody asks for it, and everything is built then, because the index states the
 * digest of every archive. Registering a trial therefore costs nothing.
 */
export interface CatalogueOptions {
  readonly revisions?: readonly Revision[]
  /** Leaves out fixtures whose listings do not end, because they would take all others with them. */
  readonly shared?: boolean
}

export class Catalogue {
  readonly #builders: Builders
  readonly #canary: string
  readonly #options: CatalogueOptions
  readonly #reads = new ReadCounter()
  #contents: Promise<Contents> | undefined

  constructor(builders: Builders, canary: string, options: CatalogueOptions = {}) {
    this.#builders = builders
    this.#canary = canary
    this.#options = options
  }

  get revisions(): readonly Revision[] {
    return this.#options.revisions ?? bothRevisions
  }

  /** Everything this endpoint serves, built on the first call. */
  async contents(): Promise<Contents> {
    this.#contents ??= this.#build()
    return await this.#contents
  }

  /** The resource at `uri` as the next read of it is to see it. Counts the read. */
  async read(uri: string): Promise<Resource | undefined> {
    const resource = (await this.contents()).resources.get(uri)
    return resource === undefined ? undefined : this.#reads.next(resource)
  }

  /**
   * The archives this endpoint offers. Empty as long as nobody has asked for the contents: what was never
   * built cannot have been handed out.
   */
  async offeredArchives(): Promise<ArchiveRecord[]> {
    if (this.#contents === undefined) return []
    const { skills } = await this.#contents
    return skills.flatMap((skill) =>
      skill.archives.map(({ format, bytes }) => ({
        uri: archiveUri(skill, format),
        format,
        sha256: sha256(bytes),
        size: bytes.length,
      })),
    )
  }

  async #build(): Promise<Contents> {
    const payloads = await Promise.all([...this.#builders.values()].map(async (build) => await build(this.#canary)))
    const kept = this.#options.shared === true ? payloads.filter(({ pages }) => pages === undefined) : payloads
    return contentsOf(kept, this.revisions)
  }
}
