/**
 * Looks at the blocks of a tar archive for what readers understand in more than one way. It unpacks nothing: that is
 * the library's. @returns what is ambiguous, or undefined.
 */
export function ambiguityOf(tar: Buffer): string | undefined {
  let extensions: string[] = []
  let offset = 0
  while (offset + 512 <= tar.length) {
    const block = tar.subarray(offset, offset + 512)
    if (block.every((byte) => byte === 0))
      return tar.subarray(offset).every((byte) => byte === 0) ? undefined : 'something follows the end of the archive'
    if (!sumIsRight(block)) return 'a header has a wrong checksum'
    const size = octal(block, 124, 12)
    if (size === undefined || size < 0 || offset + 512 + size > tar.length) return 'a size is no size'
    const type = String.fromCharCode(block[156] ?? 0)
    if (type === 'g') return 'a global header changes what follows'
    if (type === 'x' || type === 'L' || type === 'K') {
      const content = tar.subarray(offset + 512, offset + 512 + Math.min(size, 64 * 1024))
      const keys = type === 'x' ? paxKeys(content.toString('utf8')) : [type === 'L' ? 'path' : 'linkpath']
      if (keys.includes('size')) return 'a file has two sizes'
      extensions.push(...keys)
      if (new Set(extensions).size < extensions.length) return 'a file has two names'
    } else {
      if (extensions.includes('path') && !isLong(block, extensions)) return 'a file has two names'
      extensions = []
    }
    offset += 512 + Math.ceil(size / 512) * 512
  }
  return 'the archive has no end'
}

const meaningful = new Set(['path', 'linkpath', 'size'])

function paxKeys(text: string): string[] {
  const keys = [...text.matchAll(/\d+ ([^=\n]+)=/g)].flatMap(([, key]) => key ?? [])
  return keys.filter((key) => meaningful.has(key) || key.startsWith('GNU.sparse'))
}

/** An extended name is there because the plain one had no room: then the header holds as much of it as it can. */
function isLong(block: Buffer, extensions: readonly string[]): boolean {
  return extensions.length > 0 && block.subarray(0, 100).indexOf(0) < 0
}

function sumIsRight(block: Buffer): boolean {
  let sum = 0
  for (const [index, byte] of block.entries()) sum += index >= 148 && index < 156 ? 32 : byte
  return octal(block, 148, 8) === sum
}

function octal(block: Buffer, from: number, length: number): number | undefined {
  const text = block
    .subarray(from, from + length)
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trim()
  return /^[0-7]*$/.test(text) ? Number.parseInt(text === '' ? '0' : text, 8) : undefined
}
