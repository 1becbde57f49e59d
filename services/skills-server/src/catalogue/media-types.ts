import { extname } from 'node:path/posix'

/**
 * Media types by extension, and whether a file is sent as text. Both are decided by the name alone: looking
 * at the content would give the author of a hostile file a say in how it is sent.
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
  return byExtension[extname(path).toLowerCase()] ?? 'application/octet-stream'
}

export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/') || textual.has(mediaType)
}
