import { createHash } from 'node:crypto'

/** By the buffer itself: what is served is never written to, and each of it is hashed once. */
const known = new WeakMap<Uint8Array, string>()

/** SHA-256 as 64 lower-case hex digits. */
export function sha256(bytes: Uint8Array): string {
  const before = known.get(bytes)
  if (before !== undefined) return before
  const digest = createHash('sha256').update(bytes).digest('hex')
  known.set(bytes, digest)
  return digest
}

/** SHA-256 as both revisions write it (S16, iS15): `sha256:` and 64 lower-case hex digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`
}
