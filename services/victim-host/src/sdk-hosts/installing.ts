import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ServerFault } from '../mcp/answer.ts'

/**
 * What the two hosts on SDKs share. They are as short as a host author would write them: what an SDK checks is
 * checked, and nothing else.
 */
export interface Ended {
  readonly name: string
  readonly outcome: 'installed' | 'refused'
  readonly message?: string
}

/** A host on one line of the SDK: connects, and installs every skill that the server offers below `skills`. */
export type SdkHost = (url: URL, skills: string) => Promise<readonly Ended[]>

/** Writes one file of a skill where agents look for skills. @param path relative, as the URI states it. */
export function write(skills: string, name: string, path: string, bytes: Uint8Array): void {
  const file = join(skills, name, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

/** The path of a file below its skill: the rest of the URI, decoded. */
export function pathBelow(root: string, uri: string): string {
  const rest = uri.slice(root.length)
  try {
    return decodeURIComponent(rest)
  } catch {
    return rest
  }
}

/** One skill after the other: what fails for one is told, and the next has its turn. @throws NoAnswer */
export async function attempt(name: string, install: () => Promise<void>): Promise<Ended> {
  try {
    await install()
    return { name, outcome: 'installed' }
  } catch (error) {
    if (!(error instanceof ServerFault) && !isOfDisk(error)) throw error
    return { name, outcome: 'refused', message: error.message }
  }
}

/** A file that cannot be written ends an installation like any other error of an installer. */
function isOfDisk(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
