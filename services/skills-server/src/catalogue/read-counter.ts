import type { Resource } from './resources.ts'

/** Counts the reads of resources whose answer depends on them. One counter for each endpoint, so for each trial. */
export class ReadCounter {
  readonly #reads = new Map<string, number>()

  /** The resource as this read is to see it. Only lies are counted: nothing grows with honest reads. */
  next(resource: Resource): Resource {
    const { uri, reads } = resource
    if (reads === undefined || reads.length === 0) return resource
    const read = this.#reads.get(uri) ?? 0
    this.#reads.set(uri, read + 1)
    return { ...resource, bytes: reads[Math.min(read, reads.length - 1)] ?? resource.bytes }
  }
}
