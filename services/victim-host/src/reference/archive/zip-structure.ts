/**
 * Looks at a zip for what readers understand in more than one way: those that follow the local headers from the
 * front and those that follow the central directory at the end must see the same files. @returns what is ambiguous.
 */
export function zipAmbiguity(zip: Buffer): string | undefined {
  const end = zip.length - 22
  const signature = Buffer.from('PK\u0005\u0006', 'latin1')
  if (end < 0 || zip.readUInt32LE(end) !== 0x06054b50) return 'it does not end with its end record'
  if (zip.indexOf(signature) !== end) return 'it has more than one end record'
  const entries = zip.readUInt16LE(end + 10)
  const size = zip.readUInt32LE(end + 12)
  const start = zip.readUInt32LE(end + 16)
  if (start + size !== end) return 'something stands between the directory and the end record'
  let local = 0
  let at = start
  for (let index = 0; index < entries; index += 1) {
    if (at + 46 > end || zip.readUInt32LE(at) !== 0x02014b50) return 'the central directory is cut off'
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    const central = zip.subarray(at + 46, at + 46 + name)
    if (hasUnicodePath(zip.subarray(at + 46 + name, at + 46 + name + extra))) return 'a file has two names'
    if (zip.readUInt32LE(at + 42) !== local) return 'a local header is not where the directory says'
    const next = localEnd(zip, local, central, zip.readUInt32LE(at + 20))
    if (next === undefined) return 'a local header and the directory do not agree'
    local = next
    at += 46 + name + extra + comment
  }
  return local === start ? undefined : 'something stands between the files and the directory'
}

function localEnd(zip: Buffer, at: number, name: Buffer, compressed: number): number | undefined {
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== 0x04034b50) return undefined
  const length = zip.readUInt16LE(at + 26)
  const data = at + 30 + length + zip.readUInt16LE(at + 28)
  if (!zip.subarray(at + 30, at + 30 + length).equals(name)) return undefined
  if ((zip.readUInt16LE(at + 6) & 8) === 0)
    return zip.readUInt32LE(at + 18) === compressed ? data + compressed : undefined
  // Sizes come behind the data, with or without a signature of their own.
  const after = data + compressed
  return after + (zip.readUInt32LE(after) === 0x08074b50 ? 16 : 12)
}

function hasUnicodePath(extra: Buffer): boolean {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 0x7075) return true
  return false
}
