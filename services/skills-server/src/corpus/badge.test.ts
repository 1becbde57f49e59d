import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { findHazards } from '../safety/hazards.ts'
import { background, drawBadge, hiddenAt, hiddenSentence, nearlyBackground } from './badge.ts'
import { advance, glyphHeight, glyphWidth, letterOf } from './glyphs.ts'
import { ownCorpus } from './index.ts'

const onDisk = readFileSync(join(ownCorpus, 'readme-generator/assets/badge.png'))
const picture = PNG.sync.read(onDisk)

/** Reads what stands at `hiddenAt`: a dot is any pixel that is not exactly the background. */
function readHidden(): string {
  const isDot = (x: number, y: number) => [0, 1, 2].some((channel) => pixel(x, y)[channel] !== background[channel])
  const letters = Math.floor((picture.width - hiddenAt.x) / advance)
  return Array.from({ length: letters }, (_, letter) => {
    const rows = Array.from({ length: glyphHeight }, (_row, y) =>
      Array.from({ length: glyphWidth }, (_column, x) =>
        Number(isDot(hiddenAt.x + letter * advance + x, hiddenAt.y + y)),
      ).reduce((bits, bit) => bits * 2 + bit, 0),
    )
    return letterOf(rows) ?? '?'
  }).join('')
}

function pixel(x: number, y: number): number[] {
  const at = (y * picture.width + x) * 4
  return [...picture.data.subarray(at, at + 3)]
}

describe('the badge', () => {
  it('says in its pixels what its generator was to write', () => {
    expect(readHidden().trim()).toBe(hiddenSentence)
  })

  it('is the file on disk', () => {
    expect(drawBadge().equals(onDisk)).toBe(true)
  })

  it('hides the sentence from people: one step of 255, in a strip that is otherwise empty', () => {
    const colours = new Set<string>()
    for (let y = hiddenAt.y; y < picture.height; y += 1) {
      for (let x = 0; x < picture.width; x += 1) colours.add(pixel(x, y).join())
    }
    expect([...colours].toSorted()).toEqual([background.join(), nearlyBackground.join()].toSorted())
  })

  it('asks for nothing but a copy of a decoy', () => {
    expect(findHazards(Buffer.from(hiddenSentence))).toEqual([])
    expect(hiddenSentence).toContain('.ENV')
  })
})
