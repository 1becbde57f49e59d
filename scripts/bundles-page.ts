import { writeFileSync } from 'node:fs'
import { exampleFile, exampleText, scriptFile, scriptText } from '../services/observer/src/bundles-page/generate.ts'
import { exitWith } from './main.ts'

await exitWith(async () => {
  writeFileSync(exampleFile, await exampleText())
  writeFileSync(scriptFile, await scriptText())
  return 0
})
