import type { ServedArchive as ArchiveRecord } from '@landfall/contracts'
import type { Builders } from '../fixtures/index.ts'
import { sha256 } from './digest.ts'
import type { Directories } from './directory.ts'
import { directoriesOf } from './directory.ts'
import type { Resource } from './resources.ts'
import { resourcesOf } from './resources.ts'
import type { ServedSkill } from './served.ts'
import { archiveUri } from './uris.ts'

/**
 * The catalogue of one endpoint: which fixtures, stamped with which canary.
 *
 * Nothing is built before somebody asks for it, and everything is built then, because the index states the
 * digest of every archive. Registering a trial therefore costs nothing.
 */
export interface Contents {
  readonly skills: readonly ServedSkill[]
  readonly resources: ReadonlyMap<string, Resource>
  readonly directories: Directories
}

export class Catalogue {
  readonly #builders: Builders
  readonly #canary: string
  #contents: Promise<Contents> | undefined

  constructor(builders: Builders, canary: string) {
    this.#builders = builders
    this.#canary = canary
  }

  /** Everything this endpoint serves, built on the first call. */
  async contents(): Promise<Contents> {
    this.#contents ??= this.#build()
    return await this.#contents
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
    const skills = payloads.flatMap((payload) => payload.skills)
    const resources = new Map(resourcesOf(skills).map((resource) => [resource.uri, resource]))
    return { skills, resources, directories: directoriesOf(skills) }
  }
}
