import { describe, expect, it } from 'vitest'
import type { PackagePolicy } from './apt-policy.ts'
import { choosePackages, hasAptPackages, type Component } from './packages.ts'

const everything: Component[] = ['client', 'daemon', 'compose', 'buildx']
const os = (id: string, codename: string, like: string[] = []) => ({ id, codename, like, prettyName: id })

function policies(candidates: Record<string, string>): Map<string, PackagePolicy> {
  const entries = Object.entries(candidates)
  return new Map(entries.map(([name, candidate]) => [name, { installed: undefined, candidate }]))
}

const bookworm = policies({ 'docker.io': '20.10.24', 'docker-compose': '1.29.2-3' })
const trixie = policies({
  'docker.io': '26.1.5',
  'docker-cli': '26.1.5',
  'docker-compose': '2.26.1-4',
  'docker-buildx': '0.13.1',
})
const noble = policies({
  'docker.io': '27.5.1',
  'docker-compose': '1.29.2-6',
  'docker-compose-v2': '2.33.0',
  'docker-buildx': '0.20.1',
})

describe('choosePackages', () => {
  it('takes all from trixie on bookworm, whose compose is version 1', () => {
    expect(choosePackages(everything, os('debian', 'bookworm'), bookworm)).toEqual({
      packages: ['docker.io/trixie', 'docker-cli/trixie', 'docker-compose/trixie', 'docker-buildx/trixie'],
      suite: 'trixie',
    })
  })

  it('adds only the plugins to an engine that is there', () => {
    expect(choosePackages(['compose'], os('debian', 'bookworm'), bookworm)?.packages).toEqual(['docker-compose/trixie'])
  })

  it('adds no suite on trixie itself', () => {
    expect(choosePackages(everything, os('debian', 'trixie'), trixie)).toEqual({
      packages: ['docker-cli', 'docker.io', 'docker-compose', 'docker-buildx'],
      suite: undefined,
    })
  })

  it('takes docker-compose-v2 on Ubuntu, where docker.io holds the client', () => {
    expect(choosePackages(everything, os('ubuntu', 'noble', ['debian']), noble)).toEqual({
      packages: ['docker.io', 'docker-compose-v2', 'docker-buildx'],
      suite: undefined,
    })
  })

  it('prefers the plugin packages of an engine that came from elsewhere', () => {
    const others = policies({ 'docker-compose-plugin': '2.39.0', 'docker-buildx-plugin': '0.26.0' })
    expect(choosePackages(['compose', 'buildx'], os('debian', 'bookworm'), others)?.packages).toEqual([
      'docker-compose-plugin',
      'docker-buildx-plugin',
    ])
  })

  it('has nothing to offer where compose is version 1 and no suite is known to have a newer one', () => {
    expect(choosePackages(everything, os('debian', 'bullseye'), bookworm)).toBeUndefined()
    expect(choosePackages(everything, os('debian', 'trixie'), policies({}))).toBeUndefined()
  })
})

describe('hasAptPackages', () => {
  it('knows Debian, Ubuntu and what is made from them', () => {
    expect(hasAptPackages(os('debian', 'trixie'))).toBe(true)
    expect(hasAptPackages(os('linuxmint', 'wilma', ['ubuntu', 'debian']))).toBe(true)
    expect(hasAptPackages(os('fedora', ''))).toBe(false)
  })
})
