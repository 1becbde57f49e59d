import { deriveToken, Slug } from '@landfall/contracts'
import { toTags } from './tags.ts'

/**
 * Puts the tokens of a trial into the files of the corpus, which hold `{{canary:<site>}}` in their place, in
 * plain or in tag characters. The files on disk are thereby the same for everybody.
 */
export interface Stamped {
  /** Names of its catalogue row. */
  readonly id: string
  readonly sites: readonly { readonly id: string }[]
}

const opening = '{{canary:'

/** What stands for the token of a site in the files of the corpus. */
export function placeholder(site: string): string {
  return `${opening}${Slug.parse(site)}}}`
}

/** Whether a file needs a stamp at all. Most do not, and are then the same bytes for every trial. */
export function isStampable(bytes: Buffer): boolean {
  return bytes.includes(opening) || bytes.includes(toTags(opening))
}

/**
 * `bytes` with each placeholder of a site of `row` replaced by the site's token in the trial that holds `canary`.
 * The very same buffer where there is none. Bytes that are not UTF-8 pass unharmed.
 */
export function stamp(bytes: Buffer, row: Stamped, canary: string): Buffer {
  if (!isStampable(bytes)) return bytes
  // As latin1 every byte is one character, so nothing but the placeholders can change.
  let text = bytes.toString('latin1')
  for (const { id: site } of row.sites) {
    const token = deriveToken(canary, row.id, site)
    text = text.replaceAll(placeholder(site), token)
    text = text.replaceAll(latin1(toTags(placeholder(site))), latin1(toTags(token)))
  }
  return Buffer.from(text, 'latin1')
}

function latin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
