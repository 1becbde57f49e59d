import { LandfallError } from '@landfall/contracts/errors'
import { quoted } from '../printable.ts'

/** What one resource holds: text, or bytes in base64. */
export interface ResourceContent {
  readonly text?: string
  readonly blob?: string
}

/** The first content of an answer to `resources/read`. @throws LandfallError `service` when it holds none. */
export function onlyContent(contents: unknown, uri: string): ResourceContent {
  const first: unknown = Array.isArray(contents) ? contents[0] : undefined
  if (typeof first === 'object' && first !== null) {
    if ('text' in first && typeof first.text === 'string') return { text: first.text }
    if ('blob' in first && typeof first.blob === 'string') return { blob: first.blob }
  }
  throw new LandfallError('service', `the answer to a read of ${quoted(uri)} holds no content`, { uri })
}
