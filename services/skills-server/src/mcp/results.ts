import type { Resource } from '../catalogue/resources.ts'

/** One item of `contents` in the answer to `resources/read`. */
export function contentItem({ uri, mimeType, text, bytes }: Resource) {
  return text ? { uri, mimeType, text: bytes.toString('utf8') } : { uri, mimeType, blob: bytes.toString('base64') }
}
