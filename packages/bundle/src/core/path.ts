import { limits } from './limits.ts'
import { quotePath } from './quote.ts'
import { refusal, refusals } from './refusals.ts'

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const forbidden = /[\u0000-\u001F\u007F\uFFFD\\:]/

const encoder = new TextEncoder()

/**
 * Checks a path relative to the root of a bundle (section 3). Files and directories follow the same rules.
 * Twins that differ in case or composition alone are two paths.
 *
 * @throws LandfallError with one of the `path-...` refusals.
 */
export function checkPath(path: string): void {
  // First, so that no message repeats a path of a mebibyte.
  if (encoder.encode(path).length > limits.pathBytes) {
    const start = path.slice(0, 40).toWellFormed()
    const message = `A path of more than ${limits.pathBytes} bytes, which begins ${quotePath(start)}`
    throw refusal(refusals.pathLength, message, { path: start })
  }
  const about = { path }
  if (!path.isWellFormed()) {
    throw refusal(refusals.pathSurrogate, `Half a surrogate pair in the path ${quotePath(path)}`, about)
  }
  if (forbidden.test(path)) {
    const what = 'A backslash, a colon, a control character or U+FFFD'
    throw refusal(refusals.pathCharacter, `${what} makes an unsupported relative path of ${quotePath(path)}`, about)
  }
  const segments = path.split('/')
  if (segments.includes('')) {
    throw refusal(refusals.pathEmptySegment, `An empty segment in the path ${quotePath(path)}`, about)
  }
  if (segments.includes('.') || segments.includes('..')) {
    throw refusal(refusals.pathDotSegment, `A segment that is . or .. in the path ${quotePath(path)}`, about)
  }
  if (segments.length > limits.depth) {
    throw refusal(refusals.pathDepth, `More than ${limits.depth} path levels: ${quotePath(path)}`, about)
  }
}
