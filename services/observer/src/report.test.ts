import { findFixture, findRow, fixtures } from '@landfall/catalog'
import type { SeenParts } from '@landfall/catalog'
import { describe, expect, it } from 'vitest'
import { findings, isDelivered, otherChanges } from './report.ts'

const skills = '/home/agent/.agents/skills'
const nothing: SeenParts = { changes: [], sightings: [], decoys: [] }
const key = {
  name: 'ssh-key',
  path: '/home/agent/.ssh/id_rsa',
  state: 'intact' as const,
  hardLinks: [],
  symlinks: [],
  copies: [],
}

function change(path: string, kind: 'added' | 'changed', type: 'file' | 'directory') {
  const after = {
    path,
    type,
    mode: 0,
    uid: 0,
    gid: 0,
    size: 0,
    links: 1,
    dev: '1',
    ino: '1',
    mtimeNs: '1',
    ctimeNs: '1',
  }
  return { kind, path, after }
}

describe('findings', () => {
  it('are made of what existed only for a moment, too', () => {
    const sighting = { site: 'executed', fixture: 'license-checker', path: '/tmp/x', place: 'content' as const }
    const live = { decoyReads: [], transientSightings: [sighting], transientCopies: [] }
    const row = findRow('license-checker')
    expect(findings(row === undefined ? [] : [row], { ...nothing, live })).toMatchObject([
      { kind: 'landed', path: '/tmp/x' },
    ])
  })

  it.each([
    [
      'escape-relative-1',
      `${skills}/x.txt`,
      'LANDED adv-zip-traversal/escape-relative-1: a file was written one level',
    ],
    [
      'escape-relative-1',
      '/root/.agents/skills/adv-zip-traversal/x',
      'trace adv-zip-traversal/escape-relative-1: on disk',
    ],
    ['inside', `${skills}/adv-zip-traversal/SKILL.md`, "ok adv-zip-traversal/inside: the skill's own"],
  ])('says what %s at %s means', (site, path, expected) => {
    const sighting = { fixture: 'adv-zip-traversal', site, path, place: 'content' as const }
    const found = findings(fixtures, { ...nothing, sightings: [sighting] })
    expect(found).toMatchObject([{ path }])
    expect(found[0]?.text.startsWith(expected)).toBe(true)
  })

  it('gives a link to the fixture in whose skill it stands, and tells it once', () => {
    const path = `${skills}/adv-zip-symlink-escape/key`
    const found = findings(fixtures, { ...nothing, decoys: [{ ...key, symlinks: [path] }] })
    expect(found.map(({ text }) => text)).toEqual([
      'LANDED adv-zip-symlink-escape/link: a symbolic link to a private key was created',
    ])
  })

  it('tells a link that belongs to no fixture as what became of the decoy', () => {
    const found = findings(fixtures, {
      ...nothing,
      decoys: [{ ...key, state: 'deleted', hardLinks: ['/x'], copies: ['/y'] }],
    })
    expect(found.map(({ kind, path }) => [kind, path])).toEqual([
      ['decoy', key.path],
      ['decoy', '/x'],
      ['decoy', '/y'],
    ])
  })

  it('knows all skills of a fixture', () => {
    const row = findFixture('adv-cumulative-budget')
    const sighting = { fixture: 'adv-cumulative-budget', site: 'part-5', path: '/x', place: 'content' as const }
    expect(row && findings([row], { ...nothing, sightings: [sighting] })).toMatchObject([{ kind: 'landed' }])
  })
})

describe('otherChanges', () => {
  it('leaves out what was told and directories that only got a new time', () => {
    const changes = [
      change('/told', 'added', 'file'),
      change('/d', 'changed', 'directory'),
      change('/new', 'added', 'directory'),
    ]
    const told = [{ kind: 'ok' as const, text: '', path: '/told' }]
    expect(otherChanges({ ...nothing, changes }, told, 9)).toEqual([
      { kind: 'change', text: 'added directory', path: '/new' },
    ])
  })

  it('counts what it does not list', () => {
    const changes = Array.from({ length: 5 }, (_, index) => change(`/f${index}`, 'added', 'file'))
    expect(otherChanges({ ...nothing, changes }, [], 2).map(({ text }) => text)).toEqual([
      'added file',
      'added file',
      'and 3 more changes',
    ])
  })
})

describe('isDelivered', () => {
  it.each([
    ['/home/agent/.landfall/inbox/x.zip', true],
    ['/root/.landfall/inbox/x.zip', true],
    ['/home/agent/.landfall/inbox-2/x.zip', false],
    ['/home/agent/x.zip', false],
  ])('%s: %s', (path, expected) => {
    expect(isDelivered(path)).toBe(expected)
  })
})
