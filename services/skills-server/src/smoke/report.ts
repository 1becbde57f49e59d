/**
 * One line for each check: PASS or FAIL, where, what, and how it went. Nothing is skipped: what could not be
 * looked at has failed.
 */
export interface Finding {
  /** What was looked at, in a few words. */
  readonly detail: string
  /** What is wrong, one item each. None means that the check passed. */
  readonly problems: readonly string[]
}

/** The lines go through `write`, without a line break. */
export class Report {
  readonly #write: (line: string) => void
  #passed = 0
  #failed = 0

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  get failed(): number {
    return this.#failed
  }

  get total(): number {
    return this.#passed + this.#failed
  }

  /** Runs one check. Whatever it throws is its failure. */
  async check(where: string, what: string, look: () => Promise<Finding>): Promise<void> {
    const { detail, problems } = await settle(look)
    const [first, ...others] = problems.map(printable)
    const line = (outcome: string, told: string) =>
      this.#write(`${outcome}  ${where.padEnd(whereWidth)}${what.padEnd(whatWidth)}${told}`)
    if (first === undefined) {
      this.#passed += 1
      line('PASS', detail)
    } else {
      this.#failed += 1
      line('FAIL', others.length === 0 ? first : `${first} (and ${others.length} more)`)
    }
  }

  say(line: string): void {
    this.#write(line)
  }
}

const whereWidth = 15
const whatWidth = 40

async function settle(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return { detail: '', problems: [error instanceof Error ? error.message : String(error)] }
  }
}

/** A server under test may say anything, also what would confuse a terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, maxText)
}

const maxText = 300
