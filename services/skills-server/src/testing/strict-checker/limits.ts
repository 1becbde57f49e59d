/** Numbers that rules need. Those of the sheet are B2; the others are a real host's (A4), where no text has any. */
const mebibyte = 1024 * 1024

export const limits = {
  /** S19, H13. */
  filesPerSkill: 512,
  bytesPerSkill: 16 * mebibyte,
  /** T6: one file. */
  bytesPerFile: 10 * mebibyte,
  /** T6: all files of one skill that a walk finds. Above the limit of the sheet, which has a rule of its own. */
  bytesPerWalk: 20 * mebibyte,
  /** T6: pages of one listing. */
  pages: 64,
  /** iH4.6. */
  bytesPerArchive: 50 * mebibyte,
  bytesPerServer: 200 * mebibyte,
  entriesPerArchive: 10_000,
  depth: 32,
} as const
