import { describe, expect, it } from 'vitest'
import { fillCommand, mentions } from './placeholders.ts'

const values = { archive: '/in/a.zip', dest: '/out', stage: '/stage', home: '/home/agent', shims: '/shims' }

describe('fillCommand', () => {
  it('fills placeholders, also inside an argument and more than once', () => {
    expect(fillCommand(['7z', 'x', '-o{dest}', '{archive}', '{home}:{home}'], values)).toEqual([
      '7z',
      'x',
      '-o/out',
      '/in/a.zip',
      '/home/agent:/home/agent',
    ])
  })

  it('leaves other braces alone', () => {
    expect(fillCommand(['${dest}', '{unknown}', '{}', 'a{b', '{DEST}'], values)).toEqual([
      '${dest}',
      '{unknown}',
      '{}',
      'a{b',
      '{DEST}',
    ])
  })

  it('does not fill what it has filled in', () => {
    expect(fillCommand(['{archive}'], { ...values, archive: '{dest}' })).toEqual(['{dest}'])
  })
})

describe('mentions', () => {
  it('tells whether a command needs something', () => {
    expect(mentions(['x', '--into={stage}'], 'stage')).toBe(true)
    expect(mentions(['x', '{dest}'], 'stage')).toBe(false)
  })
})
