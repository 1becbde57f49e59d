import { indexEntries } from './index-entry.ts'
import type { ServedSkill } from './served.ts'

/** The document at `skill://index.json` (fact sheet A1, iS8), as bytes: JSON with an indent of two and a final newline. */
export function indexDocument(skills: readonly ServedSkill[]): Buffer {
  return Buffer.from(`${JSON.stringify({ skills: indexEntries(skills) }, null, 2)}\n`, 'utf8')
}
