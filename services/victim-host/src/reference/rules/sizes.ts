import type { Guard, Rule } from '../rule.ts'

/** How many bytes the host takes, before it decodes them. */

export const answerCap: Rule = {
  id: 'T6-bytes',
  clauses: [],
  says: 'No file of more than its limit is decoded: SKILL.md 256 KiB where nothing states sizes, else 16 MiB.',
}

export const serverBudget: Rule = {
  id: 'T6-server',
  clauses: [],
  says: 'One server gets 200 MiB in all, archives unpacked.',
}

const mebibyte = 1024 * 1024
export const caps = {
  markdownBytes: 256 * 1024,
  fileBytes: 16 * mebibyte,
  archiveBytes: 10 * mebibyte,
  serverBytes: 200 * mebibyte,
} as const

/** @param encoded length of the text, or of the base64 of the bytes, as it came. */
export function mayDecode(guard: Guard, uri: string, encoded: number, isBase64: boolean, limit: number): void {
  const bytes = isBase64 ? Math.floor((encoded * 3) / 4) - 2 : encoded
  guard.hold(answerCap, bytes <= limit, `an answer of about ${bytes} bytes is over the limit of ${limit}`, { uri })
}

/** What is left of a server's budget. Counts what was taken, refused or not. */
export class Budget {
  #spent = 0

  spend(guard: Guard, bytes: number): void {
    this.#spent += bytes
    guard.hold(serverBudget, this.#spent <= caps.serverBytes, `the server has spent its ${caps.serverBytes} bytes`)
  }
}
