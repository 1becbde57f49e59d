import * as approval from './rules/approval.ts'
import * as archive from './rules/archive.ts'
import * as cache from './rules/cache.ts'
import * as capability from './rules/capability.ts'
import * as collisions from './rules/collisions.ts'
import * as execution from './rules/execution.ts'
import * as listing from './rules/listing.ts'
import * as manifest from './rules/manifest.ts'
import * as names from './rules/names.ts'
import * as origin from './rules/origin.ts'
import * as sizes from './rules/sizes.ts'
import * as verification from './rules/verification.ts'
import * as window from './rules/window.ts'
import type { Rule } from './rule.ts'

const files = [
  capability,
  origin,
  listing,
  sizes,
  names,
  manifest,
  collisions,
  verification,
  window,
  approval,
  execution,
  cache,
  archive,
]

/** Every rule of the reference host, in the order of its files. */
export const allRules: readonly Rule[] = [
  ...new Set(files.flatMap((file) => Object.values(file).filter((value): value is Rule => isRule(value)))),
]

function isRule(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value && 'clauses' in value && 'says' in value
}
