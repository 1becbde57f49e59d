import { parseArgs } from 'node:util'
import type { BundleFlags } from './bundle-command.ts'

/**
 * A command line of `bundle` with nothing unusual about it, read without the library for command lines: loading
 * that takes a fifth as long as hashing the largest bundle.
 *
 * @returns `undefined` for everything else: help, mistakes and other commands are the whole command line's.
 */
export function quickBundle([command, ...args]: readonly string[]): [string, BundleFlags] | undefined {
  if (command !== 'bundle') return undefined
  const options = { json: { type: 'boolean' }, against: { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [directory, ...more] = positionals
    return directory === undefined || more.length > 0 ? undefined : [directory, values]
  } catch {
    return undefined
  }
}
