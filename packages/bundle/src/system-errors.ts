import type { LandfallError } from '@landfall/contracts/errors'
import { quotePath, refusal, refusals } from './core/index.ts'

/** What the system answers when what was a file or a directory a moment ago is something else now. */
const changedErrnos = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'ESTALE', 'EMLINK'])

/** The errno of an error of the system; `undefined` for any other value. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined
}

export function changed(path: string, options?: ErrorOptions): LandfallError {
  const message = `Changed during inspection: ${path === '' ? 'the directory itself' : quotePath(path)}`
  return refusal(refusals.changed, message, { path }, options)
}

/** Runs one step on an entry that has been seen at `path`; an error of the system becomes a refusal. */
export function onEntry<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === undefined) throw cause
    throw changedErrnos.has(errno) ? changed(path, { cause }) : unreadable(path, errno, cause)
  }
}

export function unreadable(path: string, errno: string, cause: unknown): LandfallError {
  const what = path === '' ? 'the directory' : quotePath(path)
  return refusal(refusals.unreadable, `Not readable (${errno}): ${what}`, { path, errno }, { cause })
}
