import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How the agent looks at files: as an ordinary program would, links followed, but never blocked and never filled up. */

const mostBytes = 1024 * 1024

/** The first MiB of a regular file, or of what a link to one leads to; `undefined` for everything else. */
export function readFileBounded(path: string): Buffer | undefined {
  try {
    // Looked at first: opening a FIFO would wait for ever.
    if (!statSync(path).isFile()) return undefined
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const bytes = Buffer.alloc(mostBytes)
      return bytes.subarray(0, readSync(descriptor, bytes, 0, mostBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** Whether `name` is the path of a file below the skill's directory, as a text of the skill would write it. */
export function isFileOf(directory: string, name: string): boolean {
  if (name.startsWith('/') || /\s/.test(name)) return false
  try {
    return statSync(join(directory, name)).isFile()
  } catch {
    return false
  }
}

/** Whether a shell would find a program of this name: on the path, or where the name itself leads. */
export function isProgram(name: string, directory: string, path: string): boolean {
  const candidates = name.includes('/')
    ? [name.startsWith('/') ? name : join(directory, name)]
    : path.split(':').map((folder) => join(folder, name))
  return candidates.some((file) => {
    try {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    } catch {
      return false
    }
  })
}
