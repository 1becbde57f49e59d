import { mkdtempDisposable, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allRules } from './all-rules.ts'
import { Approvals } from './approvals.ts'
import { zipAmbiguity } from './archive/zip-structure.ts'
import { ambiguityOf } from './archive/tar-structure.ts'
import { User } from './consent.ts'
import { Disk } from './disk.ts'
import { type Decision, findRules, Guard, Refusal } from './rule.ts'
import { contentKey, covers, skillKey } from './rules/approval.ts'
import { checkEntries } from './rules/archive.ts'
import { forgetServer, readCached, skillFolder } from './rules/cache.ts'
import { mayCall } from './rules/capability.ts'
import { collisions } from './rules/collisions.ts'
import { digestOf } from './rules/verification.ts'
import { structural } from './structural.ts'
import type { ArchiveEntry } from './archive/entry.ts'

function guard(...off: string[]): { guard: Guard; log: Decision[] } {
  const log: Decision[] = []
  return { guard: new Guard(findRules(allRules, off), (decision) => log.push(decision)), log }
}

const file = (path: string): ArchiveEntry => ({ path, type: 'file', mode: 0o644, bytes: Buffer.from('x') })

describe('rules', () => {
  it('have names of their own, and together with what the structure fulfils cover every host clause', () => {
    const names = allRules.flatMap(({ id, clauses }) => [id, ...clauses])
    expect(new Set(names).size).toBe(names.length)
    const covered = new Set([...names, ...Object.keys(structural)].map((name) => name.replace(/^(i?H\d+).*$/, '$1')))
    const asked = [
      ...Array.from({ length: 33 }, (_, index) => `H${index + 1}`),
      ...Array.from({ length: 16 }, (_, index) => `iH${index + 1}`),
    ]
    expect(asked.filter((clause) => !covered.has(clause))).toEqual([])
  })

  it('are turned off by name or by clause, and an unknown one is refused with the nearest', () => {
    expect(findRules(allRules, ['iH12']).map(({ id }) => id)).toEqual(['H26'])
    expect(() => findRules(allRules, ['H166'])).toThrow(/there is no rule "H166". Did you mean H16/)
  })

  it('log what they refuse, and what they would have refused', () => {
    const strict = guard()
    expect(() => checkEntries(strict.guard, [file('../x')])).toThrow(Refusal)
    expect(strict.log).toMatchObject([{ rule: 'iH4.1', decision: 'refuse' }])
    const careless = guard('iH4.1')
    expect(checkEntries(careless.guard, [file('../x')])).toHaveLength(1)
    expect(careless.log).toMatchObject([{ rule: 'iH4.1', decision: 'off' }])
  })

  it('H1: nothing of the extension is asked of a server that has not declared it', () => {
    expect(() => mayCall(guard().guard, 'skills/list', undefined)).toThrow('has not declared')
    expect(() => mayCall(guard().guard, 'resources/directory/read', {})).toThrow('has not declared')
    expect(() => mayCall(guard().guard, 'resources/read', undefined)).not.toThrow()
    expect(() => mayCall(guard('H1').guard, 'skills/list', undefined)).not.toThrow()
  })

  it('H6: the same URI of two servers is two skills', () => {
    const uri = 'skill://a/SKILL.md'
    expect(skillKey(guard().guard, 'one', uri)).not.toBe(skillKey(guard().guard, 'two', uri))
    expect(skillKey(guard('H6').guard, 'one', uri)).toBe(skillKey(guard('H6').guard, 'two', uri))
  })

  it('H29, H30: an approval covers the very files it was given for, and nothing that is generated', () => {
    const items = [{ uri: 'skill://a/SKILL.md', digest: 'sha256:1' }]
    const now = contentKey([...items, { uri: 'skill://a/x', digest: 'sha256:2' }])
    expect(covers(guard().guard, contentKey(items), contentKey(items), false)).toBe(true)
    expect(covers(guard().guard, contentKey(items), now, false)).toBe(false)
    expect(covers(guard('H29').guard, contentKey(items), now, false)).toBe(true)
    expect(covers(guard().guard, 'dynamic', 'dynamic', true)).toBe(false)
  })

  it('H31: a cached file that was changed is no longer used', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rules-'))
    const disk = new Disk(folder.path)
    disk.write('/cache/x', Buffer.from('good'), 0o644)
    const digest = digestOf(Buffer.from('good'))
    expect(readCached(guard().guard, disk, '/cache/x', digest)?.toString()).toBe('good')
    await writeFile(join(folder.path, 'cache/x'), 'changed')
    expect(readCached(guard().guard, disk, '/cache/x', digest)).toBeUndefined()
    expect(readCached(guard('H31').guard, disk, '/cache/x', digest)?.toString()).toBe('changed')
  })

  it('H32: the copies of a server go with it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rules-'))
    const disk = new Disk(folder.path)
    const places = { store: '/store', discovery: '/skills' }
    const path = `${skillFolder(guard().guard, places, 'lab', 'skill://a/SKILL.md', 'a')}/SKILL.md`
    disk.write(path, Buffer.from('x'), 0o444)
    expect(path.startsWith('/store/lab/')).toBe(true)
    forgetServer(disk, places, 'lab')
    expect(disk.readIfThere(path)).toBeUndefined()
  })
})

describe('approvals', () => {
  it('outlive the host, and a damaged file approves nothing', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rules-'))
    const disk = new Disk(folder.path)
    new Approvals(disk, '/kept.json').set('lab skill://a', '1')
    expect(new Approvals(disk, '/kept.json').get('lab skill://a')).toBe('1')
    disk.write('/kept.json', Buffer.from('{"a":1}'), 0o600)
    expect(new Approvals(disk, '/kept.json').get('a')).toBeUndefined()
  })

  it('go with their server, and those of others stay', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rules-'))
    const disk = new Disk(folder.path)
    const kept = new Approvals(disk, '/kept.json')
    for (const server of ['lab', 'lab-two']) kept.set(`${server} skill://a`, '1')
    kept.forget('lab')
    const later = new Approvals(disk, '/kept.json')
    expect(['lab skill://a', 'lab-two skill://a'].map((key) => later.get(key))).toEqual([undefined, '1'])
  })

  it.each([
    ['none', [false, false]],
    ['once', [true, false]],
    ['always', [true, true]],
  ] as const)('of a user who says yes %s', (consent, answers) => {
    const user = new User(consent)
    expect([1, 2].map(() => user.approves({ what: 'load', server: 'lab', uri: 'x' }))).toEqual(answers)
  })
})

describe('Disk', () => {
  it('follows links inside of its root alone', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'disk-'))
    const disk = new Disk(folder.path)
    await symlink('/etc', join(folder.path, 'out'))
    await symlink('../../../..', join(folder.path, 'up'))
    disk.write('/out/landfall-disk-test', Buffer.from('x'), 0o644)
    disk.write('/up/landfall-up', Buffer.from('y'), 0o644)
    expect(await readFile(join(folder.path, 'etc/landfall-disk-test'), 'utf8')).toBe('x')
    expect(await readFile(join(folder.path, 'landfall-up'), 'utf8')).toBe('y')
    expect(await readlink(join(folder.path, 'out'))).toBe('/etc')
  })
})

describe('readers of structure', () => {
  it('say something of any bytes and never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        expect(['string', 'undefined']).toContain(typeof ambiguityOf(Buffer.from(bytes)))
        expect(['string', 'undefined']).toContain(typeof zipAmbiguity(Buffer.from(bytes)))
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 200 }), (bytes) => {
        const end = Buffer.alloc(22)
        end.writeUInt32LE(0x06054b50)
        end.writeUInt16LE(3, 10)
        end.writeUInt32LE(bytes.length, 12)
        expect(typeof zipAmbiguity(Buffer.concat([Buffer.from(bytes), end]))).toBe('string')
      }),
    )
  })
})

describe('collisions', () => {
  it.each([
    [['a', 'b', 'a/'], ['a/']],
    [['SKILL.md', 'Skill.md'], ['Skill.md']],
    [['caf\u00e9.md', 'cafe\u0301.md'], ['cafe\u0301.md']],
    [['x', 'x/y'], ['x/y']],
    [['x/', 'x/y', 'z'], []],
  ])('of %j are %j', (paths, found) => {
    expect(collisions(paths)).toEqual(found)
  })
})
