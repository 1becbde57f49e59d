import type { ArchiveFormat, Revision } from '@landfall/contracts'
import type { IndexEntry } from './index-entry.ts'
import type { SkillEntry } from './skill-entry.ts'

/**
 * What a fixture serves, before any protocol: skills, their files and their archives, as bytes.
 *
 * An honest skill is a path, a frontmatter and files, and nothing else: its entries, digests, sizes,
 * directories and pages are all derived from them, in either revision. Every way in which a server can
 * deviate has a field of its own under a `lie`, so that a fixture tells exactly one lie and a reviewer sees
 * which. Ready-made rewrites for `entry` are in lies.ts.
 */
export type Frontmatter = Readonly<Record<string, unknown>> & { readonly name: string; readonly description: string }

/** A file that can be read by its own URI. */
export interface ServedFile {
  /** Relative to the skill's directory, with forward slashes. Percent-encoded segment by segment for the URI. */
  readonly path: string
  /** The honest content. Digests and sizes are made of it. */
  readonly bytes: Buffer
  readonly lie?: FileLie
}

export interface FileLie {
  /**
   * What `resources/read` answers instead of `bytes`: the first read of this endpoint (a trial, or `/mcp`) gets
   * the first item, the second read the second, and the last item is repeated. Entries keep stating `bytes`.
   * Rotation is `[honest, other]` (H16, iH7); a live file that differs from the archive's is `[other]` (iH9).
   */
  readonly reads?: readonly Buffer[]
  /** Served and shown in its directory, but left out of the stable entry's `resources` (S13). */
  readonly unlisted?: true
  /** Stated everywhere, but a read of it answers -32602 (S26). */
  readonly missing?: true
  /** Left out of every directory listing (S27), though served and stated. */
  readonly hidden?: true
  /** The raw URI instead of the one made from `path`, taken as it is: `file:///...`, `skill://a/%2e%2e/b`. */
  readonly uri?: string
}

/** One entry of a skill as a tree of files, in which links are possible that no file of MCP can be. */
export type CheckoutEntry =
  | { readonly path: string; readonly bytes: Buffer; readonly executable?: boolean }
  | { readonly path: string; readonly target: string }

export interface ServedArchive {
  readonly format: ArchiveFormat
  readonly bytes: Buffer
}

export interface ServedSkill {
  /**
   * The part of the URI after `skill://` that stands for the skill's directory. Ends in the skill's name (iS3,
   * S6). A skill whose path lies below another skill's path is nested in it: it is served in the stable
   * revision alone (iS4), and the enclosing entry states its files too (S17) without naming them again.
   */
  readonly path: string
  /** That of its SKILL.md. */
  readonly frontmatter: Frontmatter
  /** Individually addressable files. Empty for a skill that comes only as an archive (iS14), which the stable revision leaves out (S23). */
  readonly files: readonly ServedFile[]
  /** Served in the index revision alone (S33). */
  readonly archives: readonly ServedArchive[]
  /** What a checkout of it holds, for channels outside of MCP that carry a tree; `files` when not stated. */
  readonly checkout?: readonly CheckoutEntry[]
  /** Makes `archives` that cost something, when somebody first asks for the index, a list of everything or one of them. */
  readonly pack?: () => Promise<readonly ServedArchive[]>
  /** Where it is served, when not wherever it can be. */
  readonly revisions?: readonly Revision[]
  readonly lie?: SkillLie
}

export interface SkillLie {
  /** How the entry in `skill://index.json` deviates. */
  readonly index?: EntryLie<IndexEntry>
  /** How the entry of `skills/list` and `skills/get` deviates. */
  readonly stable?: EntryLie<SkillEntry> & {
    /** What `skills/get` alone answers, where it is to differ from `skills/list`. */
    readonly got?: (listed: unknown) => unknown
    /** `skills/get` answers -32602 although the skill is listed (S23). */
    readonly ungettable?: true
  }
  /** Rewrites the children of each of its directories (S27, H21). `uri` is the directory's. */
  readonly directory?: (children: readonly DirectoryItem[], uri: string) => readonly DirectoryItem[]
}

export interface EntryLie<Entry> {
  /** Served, but in no listing. The index and `skills/list` may both be partial, so alone this breaks no rule. */
  readonly unlisted?: true
  /** Makes the entry that is told from the honest one. Whatever it returns goes out as JSON. */
  readonly entry?: (honest: Entry) => unknown
}

/** One child in a directory listing, or one item of `resources/list`, as it goes out. */
export type DirectoryItem = Readonly<Record<string, unknown>> & { readonly uri: string; readonly name: string }

export interface Page<Item = unknown> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Answers one request for a page: `cursor` as the client sent it, and the items an honest server would list. */
export type Pager<Item = unknown> = (cursor: string | undefined, honest: readonly Item[]) => Page<Item>

/**
 * Listings that do not end as they should. A fixture that has any is left out of `/mcp`, where it would break
 * every other fixture; it is served at `/endless/<fixture>/mcp`, at its trial's endpoint, and by
 * `--fixture <id>` alone. Its row of the catalogue says `endpoint: 'own'`.
 */
export interface PagingLie {
  /** `skills/list` (T6). */
  readonly skills?: Pager
  /** `resources/directory/read`, of every directory. */
  readonly directory?: Pager<DirectoryItem>
  /** `resources/list`. */
  readonly resources?: Pager<DirectoryItem>
}

export interface FixturePayload {
  readonly skills: readonly ServedSkill[]
  readonly pages?: PagingLie
}

/** Makes everything that a fixture serves in the trial that holds `canary`. Same canary, same bytes. */
export type FixtureBuilder = (canary: string) => FixturePayload | Promise<FixturePayload>
