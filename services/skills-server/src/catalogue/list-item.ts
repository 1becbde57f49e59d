import type { Resource } from './resources.ts'

/** One item of `resources/list`, and of a directory listing. The size is that of the honest content. */
export function listItem(resource: Resource) {
  return {
    uri: resource.uri,
    name: resource.name,
    ...(resource.description === undefined ? {} : { description: resource.description }),
    mimeType: resource.mimeType,
    size: resource.bytes.length,
    ...(resource.meta === undefined ? {} : { _meta: { ...resource.meta } }),
  }
}
