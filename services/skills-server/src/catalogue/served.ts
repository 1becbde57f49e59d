import type { ArchiveFormat } from '@landfall/contracts'

/**
 * What a fixture serves, before any protocol: skills, their files and their archives, as bytes.
 */
export type Frontmatter = Readonly<Record<string, unknown>> & { readonly name: string; readonly description: string }

/** A file that can be read by its own URI. */
export interface ServedFile {
  /** Relative to the skill's directory, with forward slashes. */
  readonly path: string
  readonly bytes: Buffer
}

export interface ServedArchive {
  readonly format: ArchiveFormat
  readonly bytes: Buffer
}

export interface ServedSkill {
  /** The part of the URI after `skill://` that stands for the skill's directory. Ends in the skill's name (iS3). */
  readonly path: string
  /** As the listing states it. */
  readonly frontmatter: Frontmatter
  /** Individually addressable files. Empty for a skill that comes only as an archive (iS14). */
  readonly files: readonly ServedFile[]
  readonly archives: readonly ServedArchive[]
}

export interface FixturePayload {
  readonly skills: readonly ServedSkill[]
}

/** Makes everything that a fixture serves in the trial that holds `canary`. Same canary, same bytes. */
export type FixtureBuilder = (canary: string) => FixturePayload | Promise<FixturePayload>
