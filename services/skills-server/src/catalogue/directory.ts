import type { Resource } from './resources.ts'
import { resourcesOf } from './resources.ts'
import type { ServedSkill } from './served.ts'
import { skillRoot } from './uris.ts'

/**
 * What `resources/directory/read` answers (fact sheet A1): the direct children of each directory of each
 * namespace that is served as individual files (iS16). A skill that comes only as an archive has none.
 */
export type DirectoryChild =
  | { readonly kind: 'directory'; readonly uri: string; readonly name: string }
  | { readonly kind: 'file'; readonly resource: Resource }

export type Directories = ReadonlyMap<string, readonly DirectoryChild[]>

/** Every directory by its URI, which has no closing slash. */
export function directoriesOf(skills: readonly ServedSkill[]): Directories {
  const directories = new Map<string, DirectoryChild[]>()
  for (const skill of skills) {
    const root = skillRoot(skill)
    const files = resourcesOf([skill]).filter(({ uri }) => uri.startsWith(`${root}/`))
    for (const resource of files) addFile(directories, root, resource)
  }
  return directories
}

function addFile(directories: Map<string, DirectoryChild[]>, root: string, resource: Resource): void {
  const folders = resource.uri
    .slice(root.length + 1)
    .split('/')
    .slice(0, -1)
  let parent = root
  for (const name of folders) {
    const uri = `${parent}/${name}`
    const siblings = childrenOf(directories, parent)
    if (!directories.has(uri)) siblings.push({ kind: 'directory', uri, name })
    childrenOf(directories, uri)
    parent = uri
  }
  childrenOf(directories, parent).push({ kind: 'file', resource })
}

function childrenOf(directories: Map<string, DirectoryChild[]>, uri: string): DirectoryChild[] {
  const known = directories.get(uri)
  if (known !== undefined) return known
  const fresh: DirectoryChild[] = []
  directories.set(uri, fresh)
  return fresh
}
