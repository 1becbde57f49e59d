import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentImages, type HostProfile } from '@landfall/contracts'
import { parseHostProfile } from '@landfall/contracts/host-profile-file'
import { describe, expect, it } from 'vitest'
import { readProfileFolder } from '../profile-folder.ts'
import { agentsFolder, hostsFolder, shimsFolder } from '../profiles.ts'
import { agentsManifest, aptPackages, npmPackages, shimsManifest } from './needs.ts'

const profile = (id: string, needs: string) =>
  parseHostProfile(
    `{id: ${id}, title: A, kind: extractor, channels: [archive-file], version: [x], install: [{format: zip, run: [x]}], needs: ${needs}}`,
    id,
  )

describe('the needs of hosts', () => {
  it('are gathered, each once', () => {
    const hosts = [profile('b', '{apt: [unzip, tar]}'), profile('a', '{apt: [tar], npm: {z: 1.0.0, a: 2.0.0}}')]
    expect(aptPackages(hosts)).toEqual(['tar', 'unzip'])
    expect(Object.entries(npmPackages(hosts))).toEqual([
      ['a', '2.0.0'],
      ['z', '1.0.0'],
    ])
  })

  it('that contradict each other are refused with both names', () => {
    const hosts = [profile('one', '{npm: {tar: 7.5.2}}'), profile('two', '{npm: {tar: 7.5.23}}')]
    expect(() => npmPackages(hosts)).toThrow('one needs tar 7.5.2, two needs 7.5.23')
  })
})

describe.each([
  ['the shims', shimsFolder, shimsManifest] as const,
  ...agentImages.map(
    (image) =>
      [
        image,
        join(agentsFolder, image),
        (profiles: readonly HostProfile[]) => agentsManifest(profiles, image),
      ] as const,
  ),
])('%s', (_what, folder, manifestOf) => {
  it('have the manifest that the profiles ask for, and a lock file of it', async () => {
    const manifest = manifestOf(await readProfileFolder(hostsFolder))
    expect(await readFile(join(folder, 'package.json'), 'utf8')).toBe(manifest)
    const lock: unknown = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
    const { dependencies }: { dependencies: unknown } = JSON.parse(manifest) as { dependencies: unknown }
    expect(lock).toMatchObject({ packages: { '': { dependencies } } })
  })

  it('are locked with a digest each and without the address of a registry', async () => {
    const text = await readFile(join(folder, 'package-lock.json'), 'utf8')
    const { packages } = JSON.parse(text) as { packages: Record<string, { integrity?: string; resolved?: string }> }
    const locked = Object.entries(packages).filter(([path]) => path !== '')
    expect(locked.length).toBeGreaterThan(50)
    expect(locked.filter(([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined)).toEqual(
      [],
    )
  })
})
