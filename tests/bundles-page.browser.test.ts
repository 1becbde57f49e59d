import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readBundle } from '@landfall/bundle'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { good, negativeManifests } from '../packages/bundle/src/testing/negative-manifests.ts'
import { manifestOf, row } from '../packages/bundle/src/testing/rows.ts'
import { filesOf, negatives, vectors } from '../packages/bundle/src/testing/vectors.ts'
import { launchBrowser, openPage } from '../services/observer/src/testing/browser.ts'
import { ServedPage } from '../services/observer/src/testing/served-page.ts'
import { root } from './support/landfall.ts'

/** The page `/bundles` in a real browser, as it is served and as a file. */
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => await browser.close())

const asFile = pathToFileURL(join(root, 'services/observer/src/page/bundles.html')).href

async function open(way: 'served' | 'file') {
  const served = way === 'served' ? await ServedPage.start() : undefined
  const url = served === undefined ? asFile : `${served.url}bundles`
  const opened = await openPage(browser, url, { viewport: { width: 1000, height: 900 } })
  const stop = async () => {
    await opened.page.context().close()
    await served?.[Symbol.asyncDispose]()
  }
  return { ...opened, [Symbol.asyncDispose]: stop }
}

const side = (page: Page, name: 'reviewed' | 'now') => {
  const section = page.locator(`#${name}`)
  const give = async (kind: 'manifest' | 'folder', files: Parameters<Page['setInputFiles']>[1]) => {
    await section.locator(`input.${kind}`).setInputFiles(files)
  }
  return { give, status: section.locator('.status'), giveManifest: (value: unknown) => give('manifest', file(value)) }
}
const file = (value: unknown) => ({
  name: 'manifest.json',
  mimeType: 'application/json',
  buffer: Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)),
})

const folderOf = (files: Readonly<Record<string, string | Uint8Array>>) => {
  const base = mkdtempSync(join(tmpdir(), 'landfall-bundles-page-'))
  const path = join(base, 'skill')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), content)
  }
  return { path, [Symbol.dispose]: () => rmSync(base, { recursive: true }) }
}

/** More entries in one folder than the browser hands over at a time, which is 100. */
const vast = Object.fromEntries([
  ['SKILL.md', '# Skill\n'],
  ...Array.from({ length: 130 }, (_none, index) => [`data/${index}.txt`, `${index}\n`]),
]) as Record<string, string>

/** Drags files of the disk over a side of the page and lets go: by the browser's own input, as a mouse does. */
async function drop(page: Page, name: 'reviewed' | 'now', files: string[]) {
  const section = page.locator(`#${name}`)
  const box = await section.boundingBox()
  if (box === null) throw new Error(`#${name} is not to be seen`)
  const cdp = await page.context().newCDPSession(page)
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop') => {
    const data = { items: [], files, dragOperationsMask: 1 }
    await cdp.send('Input.dispatchDragEvent', { type, x: box.x + box.width / 2, y: box.y + box.height / 2, data })
  }
  await send('dragEnter')
  await send('dragOver')
  await page.locator(`#${name}.over`).waitFor()
  await send('drop')
  await cdp.detach()
}

describe.each(['served', 'file'] as const)('the page, %s', (way) => {
  it('shows the example, in which one script alone differs, and asks nobody for anything', async () => {
    await using opened = await open(way)
    const { page, faults, asked } = opened
    const before = asked.length
    await page.click('#example')
    await page.locator('#result .differs').waitFor()
    expect(await page.locator('#result li').allTextContents()).toEqual(['CHANGED "scripts/count.sh"'])
    expect(faults).toEqual([])
    expect(asked.slice(before)).toEqual([])
  })

  it('compares a manifest with a folder, and clears the result when a side is lost', async () => {
    using folder = folderOf({ 'SKILL.md': '# Skill\n', 'scripts/run.sh': 'echo 1\n', '.hidden': 'x' })
    const { manifest } = await readBundle(folder.path)
    await using opened = await open(way)
    const { page, faults } = opened
    const [reviewed, now] = [side(page, 'reviewed'), side(page, 'now')]
    await reviewed.giveManifest(manifest)
    await now.give('folder', folder.path)
    await page.locator('#result .matches').waitFor()
    expect(await now.status.locator('.digest').textContent()).toBe(manifest.sha256)

    writeFileSync(join(folder.path, 'scripts/run.sh'), 'echo 2\n')
    writeFileSync(join(folder.path, 'new\u202Esh.txt'), '')
    await now.give('folder', folder.path)
    await page.locator('#result .differs').waitFor()
    expect(await page.locator('#result li').allTextContents()).toEqual([
      'ADDED "new\\u202esh.txt"',
      'CHANGED "scripts/run.sh"',
    ])

    await now.giveManifest(Buffer.from('{'))
    await now.status.locator('.refused').waitFor()
    expect(await now.status.textContent()).toContain('(manifest-json)')
    expect(await page.locator('#result').textContent()).toBe('Both sides are needed.')
    expect(await reviewed.status.locator('.digest').textContent()).toBe(manifest.sha256)
    await now.giveManifest(manifest)
    await page.locator('#result .matches').waitFor()
    expect(faults).toEqual([])
  })

  it('takes a folder and a manifest that the mouse drops', async () => {
    using folder = folderOf({ ...vast, 'scripts/deep/run.sh': 'echo 1\n', '.hidden/file': 'x', 'empty.txt': '' })
    const { manifest } = await readBundle(folder.path)
    const kept = `${folder.path}.json`
    writeFileSync(kept, JSON.stringify(manifest))
    await using opened = await open(way)
    const { page, faults } = opened
    await drop(page, 'reviewed', [kept])
    await page.locator('#reviewed .digest').waitFor()
    await drop(page, 'now', [folder.path])
    await page.locator('#result .matches').waitFor()
    expect(await page.locator('.digest').allTextContents()).toEqual([manifest.sha256, manifest.sha256])

    writeFileSync(join(folder.path, 'scripts/deep/run.sh'), 'echo 2\n')
    await drop(page, 'now', [folder.path])
    await page.locator('#result .differs').waitFor()
    expect(await page.locator('#result li').allTextContents()).toEqual(['CHANGED "scripts/deep/run.sh"'])

    await drop(page, 'now', [folder.path, kept])
    await page.locator('#now .refused').waitFor()
    expect(await page.locator('#now .refused').textContent()).toBe('One manifest or one folder at a time')
    expect(await page.locator('#result').textContent()).toBe('Both sides are needed.')
    expect([faults, page.url().endsWith(way === 'file' ? '.html' : '/bundles')]).toEqual([[], true])
  })

  it('takes 1 MiB and refuses one byte more', async () => {
    await using opened = await open(way)
    const reviewed = side(opened.page, 'reviewed')
    const padded = (length: number) => Buffer.from(JSON.stringify(good).padEnd(length))
    await reviewed.giveManifest(padded(1024 * 1024))
    await reviewed.status.locator('.digest').waitFor()
    await reviewed.giveManifest(padded(1024 * 1024 + 1))
    await reviewed.status.locator('.refused').waitFor()
    expect(await reviewed.status.textContent()).toContain('(manifest-size)')
  })
})

describe('the same rules as in Node', () => {
  it.each(vectors)('vector $id, from its folder and from its manifest', async (vector) => {
    using folder = folderOf(filesOf(vector))
    await using opened = await open('file')
    const { page } = opened
    await side(page, 'reviewed').giveManifest(vector.expected)
    await side(page, 'now').give('folder', folder.path)
    await page.locator('#result .matches').waitFor()
    expect(await page.locator('.digest').allTextContents()).toEqual(Array(2).fill(vector.expected.sha256))
  })

  it('every manifest and path that must be refused, for the same reason', async () => {
    await using opened = await open('file')
    const reviewed = side(opened.page, 'reviewed')
    for (const [word, value] of Object.values(negativeManifests).flat()) {
      await reviewed.giveManifest(value)
      await reviewed.status.locator('.refused').waitFor()
      expect(await reviewed.status.textContent()).toContain(`(${word})`)
      await opened.page.click('#reset')
    }
    for (const { path, valid } of negatives.paths.filter((each) => each.path !== 'SKILL.md')) {
      const rows = [row('SKILL.md'), row(path)].toSorted((a, b) => (a.path < b.path ? -1 : 1))
      await reviewed.giveManifest(manifestOf(rows))
      const shown = valid ? reviewed.status.locator('.digest') : reviewed.status.getByText('(path-')
      await shown.waitFor()
      expect(await shown.count()).toBe(1)
      await opened.page.click('#reset')
    }
  })

  it('a folder without SKILL.md, and one whose SKILL.md is not text', async () => {
    await using opened = await open('file')
    const now = side(opened.page, 'now')
    for (const [word, files] of [
      ['no-skill-md', { 'README.md': '' }],
      ['skill-md-encoding', { 'SKILL.md': Buffer.from([0xff]) }],
    ] as const) {
      using folder = folderOf(files)
      await now.give('folder', folder.path)
      await now.status.getByText(`(${word})`).waitFor()
      expect(await now.status.locator('.digest').count()).toBe(0)
    }
  })
})

const holdReads = `
  const original = Blob.prototype.arrayBuffer
  const { promise, resolve } = Promise.withResolvers()
  globalThis.letGo = resolve
  Blob.prototype.arrayBuffer = async function () {
    const bytes = await original.call(this)
    await promise
    return bytes
  }`

describe('what is under way', () => {
  /** The page with every read of a file held until the test lets it go. */
  const openHeld = async () => {
    const opened = await open('file')
    await opened.page.addInitScript({ content: holdReads })
    await opened.page.reload()
    return opened
  }
  const letGo = async (page: Page) => {
    await page.evaluate('letGo()')
    // Whatever was held has settled when a task that came later has run.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
  }

  it('ends with a reset and shows nothing afterwards', async () => {
    using folder = folderOf({ 'SKILL.md': '', a: '1', b: '2' })
    await using opened = await openHeld()
    const { page, faults } = opened
    const now = side(page, 'now')
    await now.give('folder', folder.path)
    await now.status.getByText('Reading 0 of 3 files').waitFor()
    await page.click('#reset')
    expect(await now.status.textContent()).toBe('')
    await letGo(page)
    expect(await now.status.textContent()).toBe('')
    expect(await page.locator('#now input.folder').inputValue()).toBe('')
    expect(faults).toEqual([])
  })

  it('gives way to what is given later', async () => {
    using folder = folderOf({ 'SKILL.md': 'late' })
    await using opened = await openHeld()
    const { page } = opened
    await side(page, 'now').give('folder', folder.path)
    await side(page, 'now').status.getByText('Reading 0 of 1 files').waitFor()
    await page.click('#example')
    await page.locator('#result .differs').waitFor()
    const shown = await page.locator('#now .digest').textContent()
    await letGo(page)
    expect(await page.locator('#now .digest').textContent()).toBe(shown)
  })
})

describe('without a mouse', () => {
  it('reaches everything in order, and drops are not the only way', async () => {
    await using opened = await open('served')
    const { page } = opened
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.className')
    const order: unknown[] = []
    for (let step = 0; step < 7; step += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    expect(order).toEqual(['theme', 'example', 'reset', 'manifest', 'folder', 'manifest', 'folder'])
    const chosen = page.waitForEvent('filechooser')
    await page.locator('#reviewed .manifest').focus()
    await page.keyboard.press('Enter')
    await (await chosen).setFiles(file(good))
    await page.locator('#reviewed .digest').waitFor()
    await page.locator('#example').focus()
    await page.keyboard.press('Enter')
    await page.locator('#result .differs').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await page.locator('#result').textContent()).toBe('Both sides are needed.')
  })
})
