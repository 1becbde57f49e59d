import { deriveToken } from '@landfall/contracts'
import { stringify } from 'yaml'
import type {
  CheckoutEntry,
  Frontmatter,
  FixturePayload,
  ServedArchive,
  ServedFile,
  ServedSkill,
  SkillLie,
} from '../catalogue/served.ts'

/**
 * The parts that every fixture's skill has: tokens, a SKILL.md that says what it is, and the entry that is
 * offered as an archive only.
 */
export type Stamp = (site: string) => string

/** Gives the token of each site of one fixture in one trial. */
export function stampFor(canary: string, fixture: string): Stamp {
  return (site) => deriveToken(canary, fixture, site)
}

export interface SkillText {
  readonly name: string
  readonly description: string
  /** Further fields of the frontmatter, in order. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Paragraphs of the body. */
  readonly body: readonly string[]
  /** Token of the site `inside`: its SKILL.md was installed. */
  readonly inside: string
}

export interface Skill {
  readonly frontmatter: Frontmatter
  /** Bytes of SKILL.md. */
  readonly markdown: Buffer
}

/** A SKILL.md with valid frontmatter (iS1) whose body carries the token of the site `inside`. */
export function skillOf({ name, description, fields, body, inside }: SkillText): Skill {
  const frontmatter = { name, description, ...fields }
  const yaml = stringify(frontmatter, { lineWidth: 0 })
  const notice =
    'This skill is a test fixture of the Landfall lab. It does no harm: all it leaves behind is text with a token.'
  const text = [`# ${name}`, ...body, notice, `Token: ${inside}`].join('\n\n')
  return { frontmatter, markdown: Buffer.from(`---\n${yaml}---\n\n${text}\n`, 'utf8') }
}

/** A payload of one skill that is offered over MCP as a single archive and nothing else. */
export function archiveOnly(skill: Skill, archive: ServedArchive, checkout?: readonly CheckoutEntry[]): FixturePayload {
  const { frontmatter } = skill
  const tree = checkout === undefined ? {} : { checkout }
  return { skills: [{ path: frontmatter.name, frontmatter, files: [], archives: [archive], ...tree }] }
}

/** A skill that is served as files: SKILL.md and then `others`. Its path is its name. */
export function asFiles(skill: Skill, others: readonly ServedFile[] = []): ServedSkill {
  const { frontmatter, markdown } = skill
  return {
    path: frontmatter.name,
    frontmatter,
    files: [{ path: 'SKILL.md', bytes: markdown }, ...others],
    archives: [],
  }
}

/** The same where only the stable revision can express what is wrong with it (fact sheet, part C). */
export function stableOnly(skill: Skill, others: readonly ServedFile[] = [], lie?: SkillLie): ServedSkill {
  return { ...asFiles(skill, others), revisions: ['stable'], ...(lie === undefined ? {} : { lie }) }
}

/** A line of text that carries a token: the whole content of most files that a fixture tries to place. */
export function note(sentence: string, token: string): Buffer {
  return Buffer.from(`${sentence}\n${token}\n`, 'utf8')
}
