import type { CheckoutEntry, ServedSkill } from '../catalogue/served.ts'

/** A skill as a tree of files, for channels that carry one: what its fixture states, else the files that it has. */
export function checkoutOf({ checkout, files }: Pick<ServedSkill, 'checkout' | 'files'>): readonly CheckoutEntry[] {
  return checkout ?? files.map(({ path, bytes }) => ({ path, bytes, ...(isScript(bytes) ? { executable: true } : {}) }))
}

const isScript = (bytes: Buffer): boolean => bytes.subarray(0, 2).toString('latin1') === '#!'
