import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { HostProfile } from '@landfall/contracts'

/**
 * The host profiles of this victim.
 *
 * The image carries them parsed, checked and with the versions it was built with, beside the YAML files
 * that they come from, because parsing YAML would cost more than most hosts take to install a skill.
 */
export interface KnownHost {
  readonly profile: HostProfile
  /** First line that its version command prints. */
  readonly version: string
}

const folder = new URL('../', import.meta.url)
export const hostsFolder = fileURLToPath(new URL('hosts', folder))
export const shimsFolder = fileURLToPath(new URL('shims', folder))
/** What the images with the real installers are made of, a folder of packages each. */
export const agentsFolder = fileURLToPath(new URL('agents', folder))
/** Written by the build of the image, so it exists in victims and nowhere else. */
export const preparedFile = fileURLToPath(new URL('hosts.json', folder))

/** @returns `undefined` outside of a victim. */
export function preparedHosts(): readonly KnownHost[] | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file, checked when it was written
    return JSON.parse(readFileSync(preparedFile, 'utf8')) as readonly KnownHost[]
  } catch {
    return undefined
  }
}
