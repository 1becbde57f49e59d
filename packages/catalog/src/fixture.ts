import type { Action, ArchiveFormat, Channel, ClauseStatus, Revision } from '@landfall/contracts'
import type { RemoteAnswer } from './remote.ts'

/**
 * How a site is recognised in an observation.
 * - `token`: its token is in the content, the name or the link target of a new or changed entry
 * - `setid`: the entry that holds the token has setuid or setgid set
 * - `fifo`: the entry whose name holds the token is a FIFO
 * - `unseen-name`: the name that holds the token also holds a control or direction character
 * - `hard-link`: a new entry shares its inode with a decoy
 * - `symlink`: a new symbolic link resolves to a decoy
 * - `copy`: a new or changed file holds the text of a decoy, or one did that was removed again
 * - `changed`, `deleted`: a decoy is not what it was, or is not there any more
 * - `read`: a decoy was read while the trial ran (W3)
 * - `sent`: its token reached the sinkhole
 * - `loaded`: its token is in what the host handed to its model
 * - `asked`: the trial's access log holds the requests that the site describes (access.ts)
 */
export type Detection = 'token' | 'setid' | 'fifo' | 'unseen-name' | DecoyDetection | 'sent' | 'loaded' | 'asked'

/** Those that are about what became of a decoy. */
export const decoyDetections = ['hard-link', 'symlink', 'copy', 'changed', 'deleted', 'read'] as const
export type DecoyDetection = (typeof decoyDetections)[number]

/** Requests of a trial's access log, whether they were answered or refused: to ask is enough. */
export interface Asked {
  readonly method: string
  /** Any of these URIs, as the client sent it; every request of the method when not stated. */
  readonly uris?: readonly string[]
  /** How many such requests it takes. */
  readonly times: number
}

/** Where it must be seen to have its effect; `outside` and `inside` are relative to the skill's own directory. */
export type Place = 'anywhere' | 'outside' | 'inside'

/**
 * What seeing a site means.
 * - `none`: the honest part of the skill
 * - `trace`: the hostile part is on disk, without its effect
 * - `harm`: the effect. Seen at another place than `place`, it is a trace
 */
export type Effect = 'none' | 'trace' | 'harm'

export interface Site {
  /** Unique within its fixture. Part of the derivation of the site's token. */
  readonly id: string
  /** What has happened when it is seen, as a clause without a full stop. */
  readonly meaning: string
  readonly detect: Detection
  /** Which decoy it is about, for what becomes of one; the private key when not stated. */
  readonly decoy?: string
  /** It comes and goes, so that only live events can show it: where those were late, nothing follows from not seeing it. */
  readonly fleeting?: true
  /** Of a site that is recognised by the access log, and of no other. */
  readonly asked?: Asked
  readonly place: Place
  readonly effect: Effect
}

/** One row of the catalogue: what a fixture means. Its bytes are the skills server's. */
export interface FixtureRow {
  readonly id: string
  readonly title: string
  /** What is served, in one phrase. */
  readonly serves: string
  /** Names of its skills in the listing, in order; of a name that is a path, its last segment. Usually just the fixture's id. */
  readonly skills: readonly string[]
  readonly channels: readonly Channel[]
  readonly formats: readonly ArchiveFormat[]
  /**
   * Clauses of the fact sheet, such as `iH4.1`, for each revision where the fixture applies: what a strict checker
   * reports of it, and nothing else. The status says whether the published text tells a host to act; a rule that
   * binds the server alone (S13, S19) leaves the host free, so that its status is `none`.
   */
  readonly clauses: Readonly<
    Partial<Record<Revision, { readonly ids: readonly string[]; readonly status: ClauseStatus }>>
  >
  /** Item of the specification's review that it belongs to. */
  readonly review?: string
  /** Its listings do not end: it is served at `/endless/<id>/mcp`, not among the others at `/mcp`. */
  readonly endpoint?: 'own'
  readonly action: Action
  readonly sites: readonly Site[]
  /** What the addresses that its payload names answer. */
  readonly remote?: readonly RemoteAnswer[]
  /** One sentence: how one can tell that it landed. */
  readonly oracle: string
}
