import { z } from 'zod'
import { ServerFault } from '../mcp/answer.ts'
import type { User } from './consent.ts'
import type { Disk } from './disk.ts'
import { field } from './field.ts'
import { contentKey, covers, perSkill, skillKey } from './rules/approval.ts'
import { type Places, readCached, skillFolder } from './rules/cache.ts'
import { keptFields, mayRun, tag } from './rules/execution.ts'
import { decoded, type Item } from './rules/manifest.ts'
import { mayCross, refuseLocal } from './rules/origin.ts'
import { type Budget, caps, mayDecode } from './rules/sizes.ts'
import { digestMatches, verify, verifyFrontmatter } from './rules/verification.ts'
import { mayRead, whole } from './rules/window.ts'
import type { Approvals } from './approvals.ts'
import { type Guard, Refusal } from './rule.ts'
import type { Session } from './session.ts'
import { splitSkill } from '../agent/split-skill.ts'

/** What the host has of the world around it. */
export interface Surroundings {
  readonly disk: Disk
  readonly places: Places
  readonly user: User
  readonly approvals: Approvals
  /** Runs a command that was approved. */
  readonly run: (command: string) => void
  /** Asks another server, found by the authority of a URI. No host that obeys ever does. */
  readonly elsewhere: (uri: string) => Promise<void>
  /** What enters the context of the model. */
  readonly context: (text: string) => void
}

/** A skill that was listed or got, with everything its server has stated of it: the held entry. */
export interface HeldSkill {
  readonly uri: string
  readonly name: string
  readonly frontmatter: Record<string, unknown>
  readonly items: readonly Item[] | 'dynamic'
  /** Size of SKILL.md at most: where nothing states sizes the host has a limit of its own. */
  readonly markdownLimit: number
}

/**
 * The reference host: one connection, and the skills that it holds of it. What a skill may do is decided in rules/;
 * here is only the order in which it is asked.
 */
export class Host {
  readonly guard: Guard
  readonly session: Session
  readonly around: Surroundings
  readonly #budget: Budget
  /** Files that were verified and are not on disk yet, by their places. */
  readonly #unwritten = new Map<string, Buffer>()

  constructor(guard: Guard, session: Session, around: Surroundings, budget: Budget) {
    this.guard = guard
    this.session = session
    this.around = around
    this.#budget = budget
  }

  get server(): string {
    return this.session.label
  }

  spend(bytes: number): void {
    this.#budget.spend(this.guard, bytes)
  }

  folderOf({ uri, name }: HeldSkill): string {
    return skillFolder(this.guard, this.around.places, this.server, uri, name)
  }

  /** @returns whether the user has agreed, now or earlier, to what is served now (H29, H30). */
  approved(skill: HeldSkill): boolean {
    const { approvals, user } = this.around
    const key = skillKey(this.guard, this.server, skill.uri)
    const dynamic = skill.items === 'dynamic'
    const now = dynamic ? 'dynamic' : contentKey(skill.items)
    if (covers(this.guard, approvals.get(key), now, dynamic)) return true
    if (!user.approves({ what: 'load', server: this.server, uri: skill.uri })) return false
    approvals.set(key, now)
    return true
  }

  /**
   * Reads SKILL.md, verifies it and keeps it. Each load reads it anew, also after a restart: what is served now is held
   * against what was approved, so that content which changes behind its digest ends the skill (H16, H29).
   *
   * @throws Refusal
   */
  async load(skill: HeldSkill): Promise<string> {
    const bytes = await this.#readVerified(skill, skill.uri)
    const text = bytes.toString('utf8')
    verifyFrontmatter(this.guard, skill.uri, splitSkill(text).frontmatter, skill.frontmatter)
    this.keep(skill, 'SKILL.md', bytes)
    this.around.context(tag(this.guard, this.server, skill.uri, text))
    return text
  }

  /** Opens a file that the skill's text or a listing names, while the skill is acted on. @throws Refusal */
  async open(skill: HeldSkill, uri: string, seenIn: 'text' | 'listing'): Promise<string> {
    refuseLocal(this.guard, uri)
    const root = skill.uri.slice(0, skill.uri.lastIndexOf('/') + 1)
    const items = skill.items === 'dynamic' ? undefined : new Set(skill.items.map((item) => item.uri))
    if (items !== undefined) mayRead(this.guard, uri, items, seenIn)
    const path = uri.startsWith(root) ? decoded(uri.slice(root.length)) : (uri.split('/').at(-1) ?? '')
    const bytes = await this.fetch(skill, uri, path)
    this.keep(skill, path, bytes)
    const text = bytes.toString('utf8')
    this.around.context(tag(this.guard, this.server, uri, text))
    return text
  }

  /** Reads a URI that is not of this skill's server (H26). @throws Refusal */
  async cross(uri: string): Promise<void> {
    refuseLocal(this.guard, uri)
    const { user } = this.around
    mayCross(this.guard, uri, this.server, user.approves({ what: 'cross-origin', server: this.server, uri }))
    await this.around.elsewhere(uri)
  }

  /** @throws Refusal when nobody has approved it (H25). */
  run(skill: HeldSkill, frontmatter: unknown, command: string): void {
    mayRun(
      this.guard,
      frontmatter,
      command,
      this.around.user.approves({ what: 'run', server: this.server, uri: skill.uri }),
    )
    this.around.run(command)
  }

  /** Whether a SKILL.md that was opened as a file is acted on as a skill of its own (H4, H5). */
  activates(uri: string): boolean {
    if (!this.guard.on(perSkill)) return true
    return this.around.user.approves({ what: 'activate', server: this.server, uri })
  }

  /** Ends a skill of which a part has failed: nothing of it stays, and what was not written yet never is. */
  drop(skill: HeldSkill): void {
    if (!this.guard.on(whole)) return this.settle()
    this.#unwritten.clear()
    this.around.disk.remove(this.folderOf(skill))
  }

  /** Keeps a file of the skill that is used now; {@link settle} writes it. */
  keep(skill: HeldSkill, path: string, bytes: Buffer): void {
    this.#unwritten.set(`${this.folderOf(skill)}/${path}`, bytes)
    const origin = { server: this.server, uri: skill.uri, fields: keptFields(this.guard, skill.frontmatter) }
    this.#unwritten.set(`${this.folderOf(skill)}/../origin.json`, Buffer.from(`${JSON.stringify(origin)}\n`))
  }

  /**
   * Writes what was kept. Only at the end of a skill: files are read when they are needed (H19), so that before it
   * nobody knows whether all of them are what was promised, and half of a skill would lie there until then.
   */
  settle(): void {
    for (const [path, bytes] of this.#unwritten)
      this.around.disk.write(path, bytes, path.endsWith('/../origin.json') ? 0o644 : 0o444)
    this.#unwritten.clear()
  }

  /** The verified bytes of a file: the cached copy while it is what its digest says, else a read of the server. */
  async fetch(skill: HeldSkill, uri: string, path: string): Promise<Buffer> {
    const place = `${this.folderOf(skill)}/${path}`
    const stated = statedOf(skill, uri)
    // Without digests nothing tells a copy from what is served now, so it is read again.
    if (stated !== undefined && this.guard.on(digestMatches)) {
      const cached = this.#unwritten.get(place) ?? readCached(this.guard, this.around.disk, place, stated.digest)
      if (cached !== undefined) return cached
    }
    return await this.#readVerified(skill, uri)
  }

  async #readVerified(skill: HeldSkill, uri: string): Promise<Buffer> {
    const bytes = await this.read(uri, uri === skill.uri ? skill.markdownLimit : caps.fileBytes)
    const stated = statedOf(skill, uri)
    if (stated !== undefined) verify(this.guard, uri, bytes, stated)
    return bytes
  }

  /** Reads a resource, at most `limit` bytes. It proves nothing and approves nothing (H15). */
  async read(uri: string, limit: number): Promise<Buffer> {
    const { contents } = await this.session.request('resources/read', { uri })
    const first: unknown = Array.isArray(contents) ? contents[0] : undefined
    const [text, blob] = [field(first, 'text'), field(first, 'blob')]
    if (typeof text === 'string') {
      mayDecode(this.guard, uri, text.length, false, limit)
      this.spend(text.length)
      return Buffer.from(text, 'utf8')
    }
    if (typeof blob !== 'string') throw new ServerFault(`the answer to a read of ${uri} holds no content`)
    mayDecode(this.guard, uri, blob.length, true, limit)
    this.spend(blob.length)
    return Buffer.from(blob, 'base64')
  }
}

const statedOf = ({ items }: HeldSkill, uri: string): Item | undefined =>
  items === 'dynamic' ? undefined : items.find((item) => item.uri === uri)

/** A refusal or a fault of the server, as one sentence; a lost connection and a defect are neither, and go on. */
export function reasonOf(error: unknown): { rule: string; message: string } {
  if (error instanceof Refusal) return { rule: error.rule.id, message: error.message }
  if (error instanceof ServerFault) return { rule: whole.id, message: error.message }
  if (error instanceof z.ZodError)
    return { rule: whole.id, message: `the server's answer is not of the extension: ${z.prettifyError(error)}` }
  throw error
}
