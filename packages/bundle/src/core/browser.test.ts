import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)
const sources = globSync('*.ts', { cwd: folder }).filter((name) => !name.endsWith('.test.ts'))
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

it.each(sources)('%s imports nothing that a browser lacks', (name) => {
  const imports = [...read(name).matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')
  expect(imports.filter((from) => !from.startsWith('./') && from !== '@landfall/contracts/errors')).toEqual([])
})

it.each([...sources, '../../../contracts/src/errors.ts'])('%s uses no global of Node', (name) => {
  expect(read(name)).not.toMatch(/\b(?:Buffer|process|require|__dirname|setImmediate)\b/)
})
