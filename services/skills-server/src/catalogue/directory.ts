import { listItem } from './list-item.ts'
import { fileResource } from './resources.ts'
import type { DirectoryItem, ServedFile, ServedSkill } from './served.ts'
import { skillRoot } from './uris.ts'

/**
 * What `resources/directory/read` answers (fact sheet A1, S27): the direct children of each directory of each
 * namespace that is served as individual files (iS16, S29). A skill that comes only as an archive has none.
 */
export type Directories = ReadonlyMap<string, readonly DirectoryItem[]>

/** Every directory by its URI, which has no closing slash. Those of a nested skill hang below the enclosing one. */
export function directoriesOf(skills: readonly ServedSkill[]): Directories {
  const withFiles = skills.filter(({ files }) => files.length > 0)
  const roots = new Set(withFiles.map(({ path }) => path))
  const directories = new Map<string, DirectoryItem[]>()
  for (const skill of withFiles) {
    const root = outermost(skill.path, roots)
    for (const file of skill.files) if (file.lie?.hidden !== true) addFile(directories, root, skill, file)
  }
  const listings = [...directories].map(([path, children]) => [uriOf(path), children] as const)
  return new Map(listings.map(([uri, children]) => [uri, lieAbout(withFiles, uri)?.(children, uri) ?? children]))
}

function addFile(directories: Map<string, DirectoryItem[]>, root: string, skill: ServedSkill, file: ServedFile): void {
  let directory = parentOf(`${skill.path}/${file.path}`)
  childrenOf(directories, root)
  const missing: string[] = []
  for (; !directories.has(directory); directory = parentOf(directory)) missing.push(directory)
  for (const path of missing.toReversed()) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    childrenOf(directories, parentOf(path)).push({ uri: uriOf(path), name, mimeType: 'inode/directory' })
    childrenOf(directories, path)
  }
  childrenOf(directories, parentOf(`${skill.path}/${file.path}`)).push(listItem(fileResource(skill, file)))
}

function lieAbout(skills: readonly ServedSkill[], uri: string) {
  const liar = skills.find((skill) => {
    const root = skill.lie?.directory === undefined ? undefined : skillRoot(skill)
    return root !== undefined && (uri === root || uri.startsWith(`${root}/`))
  })
  return liar?.lie?.directory
}

/** The shortest of `roots` that `path` is, or lies below. */
function outermost(path: string, roots: ReadonlySet<string>): string {
  const segments = path.split('/')
  const above = segments.map((_, index) => segments.slice(0, index + 1).join('/'))
  return above.find((candidate) => roots.has(candidate)) ?? path
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function uriOf(path: string): string {
  return skillRoot({ path })
}

function childrenOf(directories: Map<string, DirectoryItem[]>, path: string): DirectoryItem[] {
  const known = directories.get(path)
  if (known !== undefined) return known
  const fresh: DirectoryItem[] = []
  directories.set(path, fresh)
  return fresh
}
