import type { CorpusRow } from '@landfall/catalog'
import { findCorpusSkill } from '@landfall/catalog'
import type { FixtureBuilder, ServedSkill } from '../catalogue/served.ts'
import type { Builders } from '../fixtures/index.ts'
import { archivesOf } from './archives.ts'
import { parseFrontmatter } from './frontmatter.ts'
import type { LoadedFile, LoadedSkill, LoadedTree } from './load.ts'
import { enclosing } from './naming.ts'
import { stamp } from './stamp.ts'

/**
 * Makes of a loaded tree what an endpoint serves: one builder for each skill, by its folder, together with the
 * skills inside it. A skill of our own corpus is stamped with the tokens of its row; any other goes out as it is.
 */
export interface CorpusOptions {
  /** Whether the archive forms are needed, which only the index revision has. */
  readonly archives: boolean
  /**
   * Whether `skills/list` names only the first skill of each name (S11). The others are served, answered by
   * `skills/get` (S23) and named by the index all the same. Not for a trial, whose one skill must be listed.
   */
  readonly uniqueNames?: boolean
}

export function corpusBuilders({ skills }: LoadedTree, options: CorpusOptions): Builders {
  const folders = new Set(skills.map(({ folder }) => folder))
  const unlisted = new Set(options.uniqueNames === true ? repeated(skills) : [])
  const groups = Map.groupBy(
    skills.map((skill) => ({ ...skill, unlisted: unlisted.has(skill) })),
    ({ folder }) => outermost(folder, folders),
  )
  return new Map([...groups].map(([folder, group]) => [folder === '' ? rootKey : folder, builderOf(group, options)]))
}

/** Stands for the folder of a root that is itself a skill. */
const rootKey = '.'

/** Every skill whose name an earlier one has. */
function repeated(skills: readonly LoadedSkill[]): LoadedSkill[] {
  return [...Map.groupBy(skills, ({ frontmatter }) => frontmatter.name).values()].flatMap(([, ...others]) => others)
}

function outermost(folder: string, folders: ReadonlySet<string>): string {
  const outer = enclosing(folder, folders)
  return outer === undefined ? folder : outermost(outer, folders)
}

type Listed = LoadedSkill & { readonly unlisted: boolean }

function builderOf(group: readonly Listed[], { archives }: CorpusOptions): FixtureBuilder {
  return (canary) => ({
    skills: group.map((skill): ServedSkill => {
      const row = rowOf(skill)
      const { path, frontmatter, files } = row === undefined ? skill : stamped(skill, row, canary)
      return {
        path,
        frontmatter,
        files: files.map(({ path: inside, bytes }) => ({ path: inside, bytes })),
        archives: [],
        checkout: [
          ...files.map(({ path: inside, bytes, mode }) => ({ path: inside, bytes, executable: (mode & 0o100) !== 0 })),
          ...(row?.links ?? []),
        ],
        ...(archives ? { pack: async () => await archivesOf(files, row?.links) } : {}),
        ...(skill.unlisted ? { lie: { stable: { unlisted: true } } } : {}),
      }
    }),
  })
}

/** The row of a skill of ours: its folder and its name are those of the row. */
function rowOf({ folder, frontmatter }: LoadedSkill): CorpusRow | undefined {
  const row = findCorpusSkill(folder.split('/').at(-1) ?? '')
  return row?.skills.includes(frontmatter.name) === true ? row : undefined
}

function stamped(skill: LoadedSkill, row: CorpusRow, canary: string): LoadedSkill {
  const files = skill.files.map((file): LoadedFile => ({ ...file, bytes: stamp(file.bytes, row, canary) }))
  const [markdown] = files
  return { ...skill, files, frontmatter: markdown === undefined ? skill.frontmatter : parseFrontmatter(markdown.bytes) }
}
