import type { DirectoryChild } from '../catalogue/directory.ts'
import type { Resource } from '../catalogue/resources.ts'

/** Shapes of MCP results, made from the catalogue's values. */

/** One item of `resources/list`. */
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

/** One item of `contents` in the answer to `resources/read`. */
export function contentItem({ uri, mimeType, text, bytes }: Resource) {
  return text ? { uri, mimeType, text: bytes.toString('utf8') } : { uri, mimeType, blob: bytes.toString('base64') }
}

/** One item of the answer to `resources/directory/read`. */
export function directoryItem(child: DirectoryChild) {
  if (child.kind === 'file') return listItem(child.resource)
  return { uri: child.uri, name: child.name, mimeType: 'inode/directory' }
}
