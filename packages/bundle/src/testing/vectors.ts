import { readFileSync } from 'node:fs'
import type { BundleManifest } from '../core/index.ts'

/** The format's test vectors: files in, manifest out, and what must be refused. */
export interface Vector {
  readonly id: string
  /** Content in base64, by path. */
  readonly input: Readonly<Record<string, string>>
  readonly expected: BundleManifest
  readonly wrong_if_sorted_by_utf8_bytes: string | null
}

export interface Negatives {
  readonly paths: readonly { readonly path: string; readonly valid: boolean }[]
  readonly manifests: readonly string[]
}

/* oxlint-disable typescript/no-unsafe-type-assertion -- our own files: the tests would notice another shape */
export const vectors = read('vectors.json') as readonly Vector[]

export const negatives = read('negatives.json') as Negatives

export function filesOf({ input }: Vector): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(input).map(([path, base64]) => [path, Buffer.from(base64, 'base64')]))
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./vectors/${name}`, import.meta.url), 'utf8'))
}
