import { compareManifests, readBundle, readManifestFile, refusalOf } from '@landfall/bundle'
import { ServerFault } from '../mcp/answer.ts'
import type { Session } from '../reference/session.ts'
import { Refusal } from '../reference/rule.ts'
import { isSkillName } from '../skill-index.ts'
import { deliver, NotDelivered, onDisk } from './deliver.ts'
import { type Offer, offersOf } from './offers.ts'
import { discard, type Places } from './places.ts'

/**
 * A host whose only defence is a pin: what a server delivers is read by a person, who says yes; the bundle is pinned;
 * whatever is delivered later is installed only when it is the same bundle, file by file, and is then an agent's to use.
 */
export interface PinningHost {
  /** A connection of its own for each visit: a pin has to outlive the session it was made in. */
  readonly connect: () => Promise<Session>
  readonly revision: 'index' | 'stable'
  readonly places: Places
}

/** What became of one skill. `step` is where it ended: pinned at review, opened, or refused at either. */
export interface PinnedSkill {
  readonly uri: string
  readonly name: string
  readonly step: 'review' | 'open'
  readonly outcome: 'pinned' | 'opened' | 'refused'
  /** Digest of the bundle that was reviewed. */
  readonly pinned?: string
  /** Digest of the bundle that was delivered to be opened. */
  readonly delivered?: string
  readonly files?: number
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
  readonly changed?: readonly string[]
  /** Why it is no bundle (docs/bundles.md), or what else was in the way. */
  readonly refusal?: string
  readonly message?: string
}

/**
 * First visit: install for review, review, pin. The reviewer says yes to everything: to see what is wrong with a skill
 * is not what a pin does.
 *
 * @throws NoAnswer when the server is not there, or is lost on the way.
 */
export async function review(host: PinningHost): Promise<PinnedSkill[]> {
  return await visit(host, 'review', new Set(), async ({ uri }, files) => {
    const { manifest } = await readBundle(files)
    host.places.writePin(uri, manifest)
    return { outcome: 'pinned', pinned: manifest.sha256, files: manifest.files.length }
  })
}

/**
 * Second visit: takes every skill once more, and installs what is the pinned bundle. A skill that nobody has reviewed has
 * no pin, and is refused.
 *
 * @param except URIs that are left alone: they were refused at their review.
 * @throws NoAnswer as {@link review} does.
 */
export async function openPinned(host: PinningHost, except: ReadonlySet<string> = new Set()): Promise<PinnedSkill[]> {
  return await visit(host, 'open', except, async ({ uri, name }, files) => {
    const { manifest: pinned } = await readManifestFile(host.places.pin(uri), files)
    const { manifest } = await readBundle(files)
    const { matches, ...difference } = compareManifests(pinned, manifest)
    const digests = { pinned: pinned.sha256, delivered: manifest.sha256 }
    if (!matches) return { outcome: 'refused', ...digests, ...difference, message: 'not the bundle that was reviewed' }
    onDisk(() => host.places.install(files, name, isSkillName(name)))
    return { outcome: 'opened', ...digests, files: manifest.files.length }
  })
}

type Ended = Omit<PinnedSkill, 'uri' | 'name' | 'step'>

async function visit(
  host: PinningHost,
  step: PinnedSkill['step'],
  except: ReadonlySet<string>,
  decide: (offer: Offer, files: string) => Promise<Ended>,
): Promise<PinnedSkill[]> {
  await using session = await host.connect()
  const skills: PinnedSkill[] = []
  const offers = await offersOf(session, host.revision).catch((error: unknown) => {
    skills.push({ uri: '', name: '', step, ...refused(error) })
    return []
  })
  for (const offer of offers) {
    const { uri, name } = offer
    if (except.has(uri)) continue
    const files = host.places.delivery(step, uri)
    try {
      discard(files)
      await deliver(session, offer, files)
      skills.push({ uri, name, step, ...(await decide(offer, files)) })
    } catch (error) {
      skills.push({ uri, name, step, ...refused(error) })
    } finally {
      // What is opened was moved away; the rest was only looked at.
      discard(files)
    }
  }
  return skills
}

/** Not a bundle, nothing that can be written, or nothing the server gives; a lost connection and a defect go on. */
function refused(error: unknown): Ended {
  const refusal = refusalOf(error)
  if (refusal !== undefined && error instanceof Error) return { outcome: 'refused', refusal, message: error.message }
  if (error instanceof NotDelivered) return { outcome: 'refused', refusal: 'not-delivered', message: error.message }
  if (error instanceof ServerFault || error instanceof Refusal)
    return { outcome: 'refused', refusal: 'server', message: error.message }
  throw error
}
