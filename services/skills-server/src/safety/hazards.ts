import { fromTags } from '../corpus/tags.ts'
import { addressHazards } from './addresses.ts'
import { commandHazards } from './commands.ts'
import { secretHazards } from './secrets.ts'

/**
 * Finds what must never be in anything this server serves: addresses outside the lab, commands that destroy
 * or fetch, secrets that are not marked as decoys, and machine code.
 *
 * It is a net under the authors of fixtures, not a filter for hostile authors.
 */
export interface Hazard {
  readonly kind: 'address' | 'command' | 'secret' | 'machine-code'
  /** What was found, cut short. */
  readonly text: string
}

const maxShown = 80
const executableMarks = ['\x7fELF', 'MZ\x90\0', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe', '\0asm'].map((mark) =>
  Buffer.from(mark, 'latin1'),
)

/** Every hazard in `bytes`, which may be text or not. */
export function findHazards(bytes: Uint8Array): Hazard[] {
  const shown = readable(bytes)
  const text = [shown, ...invisible(shown)].join('\n')
  const found: Hazard[] = [
    ...addressHazards(text).map((each) => hazard('address', each)),
    ...commandHazards(text).map((each) => hazard('command', each)),
    ...secretHazards(text).map((each) => hazard('secret', each)),
  ]
  const start = Buffer.from(bytes.subarray(0, 8))
  if (executableMarks.some((mark) => start.subarray(0, mark.length).equals(mark))) {
    found.push(hazard('machine-code', start.toString('hex')))
  }
  return found
}

function hazard(kind: Hazard['kind'], text: string): Hazard {
  return { kind, text: text.slice(0, maxShown) }
}

/** What tag characters say: nobody sees it, and it is text all the same. */
function invisible(latin1: string): string[] {
  return latin1.includes('\xf3\xa0') ? fromTags(Buffer.from(latin1, 'latin1').toString('utf8')) : []
}

/** The bytes as text, with long runs of zeros shortened: a bomb is 128 MiB of them. */
function readable(bytes: Uint8Array): string {
  const step = 64 * 1024
  const zeros = Buffer.alloc(step)
  const kept: Buffer[] = []
  for (let offset = 0; offset < bytes.length; offset += step) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + offset, Math.min(step, bytes.length - offset))
    if (!chunk.equals(zeros)) kept.push(chunk)
  }
  return Buffer.concat(kept).toString('latin1')
}
