import type { FixtureRow } from '@landfall/catalog'
import { fixtures } from '@landfall/catalog'
import type { Revision } from '@landfall/contracts'
import { parseAs } from '@landfall/contracts'
import { digestOf } from '../catalogue/digest.ts'
import type { Finding, Report } from './report.ts'
import type { OpenSession, Session } from './session.ts'
import { Got, readBytes } from './wire.ts'

/**
 * The hostile side: is each fixture there, and how would one tell that it landed. Nothing of it is verified,
 * because lying is its purpose.
 */
export interface HostileTargets {
  /** Every fixture but those of a listing without end. */
  readonly open: OpenSession
  /** One fixture alone. */
  readonly openOwn: (fixture: string) => OpenSession
}

export async function smokeAdversarial(
  { open, openOwn }: HostileTargets,
  revisions: readonly Revision[],
  report: Report,
): Promise<void> {
  let session: Session | undefined
  await report.check('modern', 'connect', async () => {
    session = await open('modern')
    return { detail: `${fixtures.length} fixtures in the catalogue`, problems: [] }
  })
  if (session === undefined) return
  await using connected = session
  const served = await namesServed(connected, revisions)
  for (const row of fixtures.filter((fixture) => isServedIn(fixture, revisions))) {
    const look = row.endpoint === 'own' ? () => endless(openOwn(row.id)) : () => Promise.resolve(present(row, served))
    await report.check('fixture', row.id, look)
    report.say(`      ${row.title}. ${row.oracle}`)
  }
  if (revisions.includes('stable')) {
    await report.check('modern stable', 'rotation', async () => await rotation(connected))
  }
}

function isServedIn({ clauses, action }: FixtureRow, revisions: readonly Revision[]): boolean {
  return action === 'accept' || revisions.some((revision) => clauses[revision] !== undefined)
}

/** Everything that the listings say, whatever it is worth. */
async function namesServed(session: Session, revisions: readonly Revision[]): Promise<string> {
  const answers = [await session.request('resources/list')]
  if (revisions.includes('stable')) answers.push(await session.request('skills/list'))
  const index = revisions.includes('index') ? (await readBytes(session, 'skill://index.json')).toString('utf8') : ''
  return `${answers.map((answer) => JSON.stringify(answer)).join('\n')}\n${index}`
}

function present({ skills, action }: FixtureRow, served: string): Finding {
  const missing = skills.filter((name) => !served.includes(JSON.stringify(name).slice(1, -1)))
  return { detail: `required action: ${action}`, problems: missing.map((name) => `not served: ${name}`) }
}

/** More pages than an honest catalogue of a few skills can have. */
const pagesToRead = 20

/** Follows the cursors of whichever listing has them, and expects no end. */
async function endless(open: OpenSession): Promise<Finding> {
  await using session = await open('modern')
  for (const method of ['skills/list', 'resources/list']) {
    const pages = await followCursors(session, method)
    if (pages >= pagesToRead) return { detail: `${method} goes on after ${pages} pages`, problems: [] }
  }
  return { detail: '', problems: ['its listings end'] }
}

async function followCursors(session: Session, method: string): Promise<number> {
  let cursor: unknown
  for (let page = 1; page <= pagesToRead; page += 1) {
    const answer: Record<string, unknown> = await session.request(method, cursor === undefined ? {} : { cursor })
    cursor = answer['nextCursor']
    if (cursor === undefined) return page - 1
  }
  return pagesToRead
}

/** Reads one SKILL.md twice. On a server that others have used, the honest first read may be gone. */
async function rotation(session: Session): Promise<Finding> {
  const uri = 'skill://adv-content-rotation/SKILL.md'
  const { skill } = parseAs(Got, await session.request('skills/get', { uri }), `skills/get of ${uri}`)
  const stated = skill.resources === 'dynamic' ? undefined : skill.resources.find((item) => item.uri === uri)?.digest
  const [first, second] = [digestOf(await readBytes(session, uri)), digestOf(await readBytes(session, uri))]
  const short = (digest: string) => digest.slice('sha256:'.length, 'sha256:'.length + 12)
  const told = `stated ${short(stated ?? '')}, first read ${short(first)}, second read ${short(second)}`
  return { detail: told, problems: second === stated ? [`nothing rotated: ${told}`] : [] }
}
