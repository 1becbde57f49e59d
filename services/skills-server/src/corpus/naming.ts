/**
 * Where in the URI space a skill of somebody else's tree is served (iS2, iS3, S6, fact sheet A4).
 *
 * Usually at its name, whatever its folder is called. Skills that share a name get their folder in front of it. A
 * skill inside another one stays inside it. Two skills that are not one inside the other on disk never look so
 * by their URIs.
 */
export interface Located {
  /** Relative to the root, with forward slashes; empty for a root that is itself a skill. */
  readonly folder: string
  readonly name: string
}

/** The path of each skill by its folder. A skill whose place is taken has none. */
export function pathsOf(skills: readonly Located[]): ReadonlyMap<string, string> {
  const folders = new Set(skills.map(({ folder }) => folder))
  const byOuter = Map.groupBy(skills, ({ folder }) => enclosing(folder, folders))
  const outermost = byOuter.get(undefined) ?? []
  const ofName = Map.groupBy(outermost, ({ name }) => name)
  const taken = new Places()
  for (const skill of outermost) {
    const prefixed = below(skill.folder, skill.name)
    const candidates = (ofName.get(skill.name)?.length ?? 0) > 1 ? [prefixed] : [skill.name, prefixed]
    taken.take(skill.folder, candidates)
  }
  // From the outside in, so that a skill always finds the path of the one that it belongs to.
  for (const skill of skills.toSorted((a, b) => a.folder.length - b.folder.length)) {
    const outer = enclosing(skill.folder, folders)
    const outerPath = outer === undefined ? undefined : taken.paths.get(outer)
    if (outer === undefined || outerPath === undefined) continue
    const inside = below(parentOf(outer === '' ? skill.folder : skill.folder.slice(outer.length + 1)), skill.name)
    taken.takeInside(skill.folder, outerPath, `${outerPath}/${inside}`)
  }
  return taken.paths
}

/** The nearest of `folders` above `folder`. */
export function enclosing(folder: string, folders: ReadonlySet<string>): string | undefined {
  let above = folder
  while (above !== '') {
    above = parentOf(above)
    if (folders.has(above)) return above
  }
  return undefined
}

/** The folder of a path; empty for one without a slash. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Paths that are given away, and everything above them. */
class Places {
  readonly paths = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #above = new Set<string>()

  /** Gives the first candidate that is neither a place, nor above one, nor below one. */
  take(folder: string, candidates: readonly string[]): void {
    const free = (path: string) => !this.#above.has(path) && enclosing(path, this.#taken) === undefined
    this.#give(
      folder,
      candidates.find((path) => !this.#taken.has(path) && free(path)),
    )
  }

  /** Gives `path`, when the nearest place around it is `outerPath`. */
  takeInside(folder: string, outerPath: string, path: string): void {
    const free = !this.#taken.has(path) && !this.#above.has(path) && enclosing(path, this.#taken) === outerPath
    this.#give(folder, free ? path : undefined)
  }

  #give(folder: string, path: string | undefined): void {
    if (path === undefined) return
    this.paths.set(folder, path)
    this.#taken.add(path)
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) this.#above.add(above)
  }
}
