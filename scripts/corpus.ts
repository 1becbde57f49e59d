/** Writes the two files of the corpus that no editor can write: see services/skills-server/src/corpus. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawBadge } from '../services/skills-server/src/corpus/badge.ts'
import { writeGuidelines } from '../services/skills-server/src/corpus/guidelines.ts'
import { exitWith, root } from './main.ts'

await exitWith(async () => {
  writeFileSync(join(root, 'corpus/readme-generator/assets/badge.png'), drawBadge())
  writeFileSync(join(root, 'corpus/code-review/review-guidelines.md'), writeGuidelines())
  return await Promise.resolve(0)
})
