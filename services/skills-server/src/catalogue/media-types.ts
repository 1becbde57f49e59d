import { isUtf8 } from 'node:buffer'
import { basename, extname } from 'node:path/posix'

/**
 * Media types by name, and whether a file is sent as text. The type is decided by the name alone: looking at
 * the content would give the author of a hostile file a say in it.
 */
const byExtension: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.txt': 'text/plain',
  '.example': 'text/plain',
  '.sh': 'text/x-shellscript',
  '.py': 'text/x-python',
  '.js': 'text/javascript',
  '.ts': 'text/typescript',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.toml': 'application/toml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
}

const textual = new Set(['application/json', 'application/yaml', 'application/toml'])

export function mediaTypeOf(path: string): string {
  if (basename(path) === 'Dockerfile') return 'text/x-dockerfile'
  return byExtension[extname(path).toLowerCase()] ?? 'application/octet-stream'
}

/** Whether `bytes` can be sent as text and come back the same: what is not UTF-8 would be changed on the way. */
export function isText(mediaType: string, bytes: Uint8Array): boolean {
  return (mediaType.startsWith('text/') || textual.has(mediaType)) && isUtf8(bytes)
}
