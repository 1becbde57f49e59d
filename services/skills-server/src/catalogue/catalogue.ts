import type { ServedArchive as ArchiveRecord, Revision } from '@landfall/contracts'
import type { Builders } from '../fixtures/index.ts'
import type { Contents } from './contents.ts'
import { contentsOf } from './contents.ts'
import { sha256 } from './digest.ts'
import { ReadCounter } from './read-counter.ts'
import type { Resource } from './resources.ts'
import type { FixturePayload, ServedSkill } from './served.ts'
import { archiveUri, indexUri } from './uris.ts'
import { bothRevisions } from './view.ts'

/**
 * The catalogue of one endpoint: which fixtures, stamped with which canary, in which revisions, and how often
 * each of its resources was read.
 *
 * Nothing is built before somebody asks for it: registering a trial costs nothing. Archives that a skill makes
 * on demand come later still, because only the index and the list of everything need them.
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
  #payloads: Promise<FixturePayload[]> | undefined
  #unpacked: Promise<Contents> | undefined
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
    this.#contents ??= this.#pack()
    return await this.#contents
  }

  /** The same, but perhaps without archives and without an index that is true: for whoever needs neither. */
  async unpacked(): Promise<Contents> {
    this.#unpacked ??= this.#build().then((payloads) => contentsOf(payloads, this.revisions))
    return await this.#unpacked
  }

  /** The resource at `uri` as the next read of it is to see it. Counts the read. */
  async read(uri: string): Promise<Resource | undefined> {
    const { resources } = uri === indexUri || archiveUriEnd.test(uri) ? await this.contents() : await this.unpacked()
    const resource = resources.get(uri)
    return resource === undefined ? undefined : this.#reads.next(resource)
  }

  /**
   * The archives this endpoint offers. Empty as long as nobody has asked for the contents: what was never
   * built cannot have been handed out.
   */
  async offeredArchives(): Promise<ArchiveRecord[]> {
    const built = this.#contents ?? this.#unpacked
    if (built === undefined) return []
    const { skills } = await built
    return skills.flatMap((skill) =>
      skill.archives.map(({ format, bytes }) => ({
        uri: archiveUri(skill, format),
        format,
        sha256: sha256(bytes),
        size: bytes.length,
      })),
    )
  }

  async #build(): Promise<FixturePayload[]> {
    this.#payloads ??= Promise.all([...this.#builders.values()].map(async (build) => await build(this.#canary)))
    const payloads = await this.#payloads
    return this.#options.shared === true ? payloads.filter(({ pages }) => pages === undefined) : payloads
  }

  async #pack(): Promise<Contents> {
    const payloads = await this.#build()
    const lazy = this.revisions.includes('index') && payloads.some(({ skills }) => skills.some(({ pack }) => pack))
    if (!lazy) return await this.unpacked()
    const packed: FixturePayload[] = []
    // One after the other: each needs memory of its own while it is made.
    for (const payload of payloads) {
      const skills: ServedSkill[] = []
      for (const skill of payload.skills) skills.push(await withArchives(skill))
      packed.push({ ...payload, skills })
    }
    const contents = contentsOf(packed, this.revisions)
    // It has all that the other one has, so that one need not be kept.
    this.#unpacked = Promise.resolve(contents)
    return contents
  }
}

/** Nothing that does not look like an archive can be one that has to be made first. */
const archiveUriEnd = /\.(?:tar\.gz|zip)$/

async function withArchives(skill: ServedSkill): Promise<ServedSkill> {
  return skill.pack === undefined ? skill : { ...skill, archives: await skill.pack() }
}
