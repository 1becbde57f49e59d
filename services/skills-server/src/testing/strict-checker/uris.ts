/** What the text of a URI says, without resolving anything. Pure, and never wrong about a URI that lies. */

/** Everything before the last slash. */
export function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'))
}

export function lastSegment(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}

export function schemeOf(uri: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? ''
}

export function authorityOf(uri: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1] ?? ''
}

/** Whether `uri` stays below `directory` for whoever decodes it, and takes a backslash for a slash (S14). */
export function isBelow(uri: string, directory: string): boolean {
  if (!uri.startsWith(`${directory}/`)) return false
  const rest = decoded(uri.slice(directory.length + 1)).replaceAll('\\', '/')
  return !rest.split('/').includes('..')
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Directories between `directory` and `uri`, `directory` among them, outermost first. */
export function directoriesAbove(uri: string, directory: string): string[] {
  const segments = uri.slice(directory.length + 1).split('/')
  return segments.map((_, count) => [directory, ...segments.slice(0, count)].join('/'))
}

/** One spelling for all that some file system takes for the same name. */
export function folded(name: string): string {
  return decoded(name).normalize('NFC').toLowerCase().normalize('NFC')
}

const regName = /^(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+$/i
const segment = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+$/i

/** RFC 3986: the first segment a reg-name, the others path segments (S7, iS5). */
export function isWellFormed(skillUri: string): boolean {
  const [first = '', ...others] = skillUri.replace(/^skill:\/\//, '').split('/')
  return regName.test(first) && others.slice(0, -1).every((each) => segment.test(each))
}

/** iS3, S6: 1 to 64 lower-case letters, digits and single hyphens, none at the ends. */
export function isSkillName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}
