import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/landfall.ts'

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

const manifests = [
  'package.json',
  ...globSync(['packages/*/package.json', 'services/*/package.json', 'runner/package.json'], { cwd: root }),
]
const dependencies = manifests.flatMap((file) => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
  return Object.entries({ ...dependencies, ...devDependencies })
})
const foreign = dependencies.filter(([name]) => !name.startsWith('@landfall/'))

describe('dependencies', () => {
  it('are pinned exactly', () => {
    expect(foreign.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('have one line each in docs/dependencies.md, and no line is left of one that went', () => {
    const text = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    const listed = [...text.matchAll(/^\| `([^`]+)`/gm)].flatMap((match) => match[1] ?? [])
    const sorted = (names: readonly string[]) => names.toSorted((a, b) => a.localeCompare(b))
    expect(sorted(listed)).toEqual(sorted([...new Set(foreign.map(([name]) => name))]))
  })

  it('are locked without the address of a registry', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string }>
    }
    const resolved = Object.values(lock.packages).flatMap((entry) => entry.resolved ?? [])
    expect(resolved.filter((address) => address.includes('://'))).toEqual([])
  })
})
