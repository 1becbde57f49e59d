import koffi from 'koffi'
import * as libc from '../libc.ts'

/** Node has no call for it, and the machine may have no command. */
const libcLibrary = koffi.load(null)
const setxattr: (path: Uint8Array, name: Uint8Array, value: Uint8Array, size: number, flags: number) => number =
  libcLibrary.func(
    'int lsetxattr(const uint8_t *path, const uint8_t *name, const uint8_t *value, size_t size, int flags)',
  )

const removexattr: (path: Uint8Array, name: Uint8Array) => number = libcLibrary.func(
  'int lremovexattr(const uint8_t *path, const uint8_t *name)',
)

export function setXattr(path: string, name: string, value: Buffer): void {
  const done = setxattr(Buffer.from(`${path}\0`), Buffer.from(`${name}\0`), value, value.length, 0)
  if (done < 0) throw new Error(`cannot set ${name} of ${path}: ${libc.errorName()}`)
}

export function removeXattr(path: string, name: string): void {
  const done = removexattr(Buffer.from(`${path}\0`), Buffer.from(`${name}\0`))
  if (done < 0) throw new Error(`cannot remove ${name} of ${path}: ${libc.errorName()}`)
}
