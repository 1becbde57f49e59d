import { createHash } from 'node:crypto'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { BundleFile, BundleManifest } from './core/index.ts'
import { checkSkillMarkdown, makeManifest, quotePath, refusal, refusals, skillMarkdown } from './core/index.ts'
import { hashFile } from './hash-file.ts'
import { HeldDirectory } from './held-directory.ts'
import type { FileId } from './identity.ts'
import { identityOf, isSame } from './identity.ts'
import { changed, errnoOf, onEntry, unreadable } from './system-errors.ts'
import type { PlannedDirectory, PlannedFile } from './walk.ts'
import { walk } from './walk.ts'

/** Moments of a reading, each before what it names; a test changes the tree in exactly one of them. */
export type Step = 'list' | 'read' | 'check-read' | 'verify'

export interface ReadOptions {
  /** Files that must not be part of the bundle: where its manifest comes from or goes to. */
  readonly outside?: readonly FileId[]
  readonly onStep?: (step: Step, path: string) => void
}

export interface ReadBundle {
  readonly manifest: BundleManifest
  /** The very bytes of SKILL.md that were hashed. */
  readonly skillMarkdown: Buffer
  /** Real path of the directory. */
  readonly root: string
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Reads a directory into its manifest (section 5): every regular file below it, whatever its name.
 *
 * Only the directory itself may be reached through a link. Runs nothing, needs no Git and no PATH. Blocks
 * while it reads, at most 32 MiB: for commands, not for servers.
 *
 * @throws LandfallError: every refusal of a directory, its entries, paths and limits; never half a manifest.
 */
export async function readBundle(directory: string, options: ReadOptions = {}): Promise<ReadBundle> {
  const { outside = [], onStep = () => {} } = options
  const root = rootOf(directory)
  const plan = walk(root, { outside, onDirectory: (path) => onStep('list', path) })
  await settle(plan)

  const files: BundleFile[] = []
  const kept: Buffer[] = []
  hashDirectory(plan, root, onStep, (file, content) => {
    files.push(file)
    if (content !== undefined) kept.push(content)
  })
  onStep('verify', '')
  verify(plan, root)
  const markdown = Buffer.concat(kept)
  checkSkillMarkdown(markdown)
  return { manifest: await makeManifest(files, sha256), skillMarkdown: markdown, root }
}

function rootOf(directory: string): string {
  // The system takes an empty path for the current directory; whoever gives one has lost a variable.
  if (directory === '') throw refusal(refusals.rootMissing, 'No such directory: ""', { directory })
  try {
    const root = realpathSync(directory)
    if (statSync(root).isDirectory()) return root
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === undefined) throw cause
    if (errno !== 'ENOENT') throw unreadable('', errno, cause)
    throw refusal(refusals.rootMissing, `No such directory: ${quotePath(directory)}`, { directory }, { cause })
  }
  throw refusal(refusals.rootKind, `Not a directory; choose a directory: ${quotePath(directory)}`, { directory })
}

/** Kernels may stamp times in steps of this size, in milliseconds. */
const tickMs = 20

/** A file that was written a moment ago could change again within one tick of the clock, and look the same. */
async function settle(plan: PlannedDirectory): Promise<void> {
  let newest = 0n
  for (const { identity } of everyEntry(plan)) if (identity.ctimeNs > newest) newest = identity.ctimeNs
  const age = Date.now() - Number(newest / 1_000_000n)
  if (age < tickMs) await delay(tickMs)
}

function hashDirectory(
  plan: PlannedDirectory,
  place: string,
  onStep: (step: Step, path: string) => void,
  found: (file: BundleFile, content: Buffer | undefined) => void,
): void {
  using held = onEntry(plan.path, () => new HeldDirectory(place))
  if (!isSame(held.identity, plan.identity)) throw changed(plan.path)
  for (const file of plan.files) {
    onStep('read', file.path)
    const afterRead = () => onStep('check-read', file.path)
    const keep = file.path === skillMarkdown
    const { sha256, content } = onEntry(file.path, () => hashFile(file, held.at(file.name), keep, afterRead))
    found({ path: file.path, bytes: Number(file.identity.size), sha256 }, content)
  }
  for (const directory of plan.directories) hashDirectory(directory, held.at(directory.name), onStep, found)
}

/** Every path once more, by its name: what was read is what stands there. */
function verify(plan: PlannedDirectory, root: string): void {
  for (const { path, identity } of everyEntry(plan)) {
    const now = onEntry(path, () => identityOf(lstatSync(`${root}/${path}`, { bigint: true })))
    if (!isSame(identity, now)) throw changed(path)
  }
}

function* everyEntry(plan: PlannedDirectory): Generator<PlannedFile> {
  yield plan
  yield* plan.files
  for (const directory of plan.directories) yield* everyEntry(directory)
}
