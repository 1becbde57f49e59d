import { howTotals, TrialExport } from '@landfall/contracts'
import type { Observation } from '@landfall/contracts'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from '../testing/browser.ts'
import {
  activeRow,
  colourOf,
  faint,
  focused,
  groundOf,
  overflow,
  shifted,
  toTheEnd,
  watchShifts,
} from '../testing/in-page.js'
import { added, entryOf, hostileNames, manual, sampled, tellLanding, wirePath } from '../testing/page-scenes.ts'
import { ServedPage } from '../testing/served-page.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const wide = { viewport: { width: 1200, height: 900 } }
const narrow = { viewport: { width: 400, height: 800 } }

/** Opens the page, and in the end holds that it had no fault and asked nobody but the observer. */
async function looking(
  served: ServedPage,
  act: (page: Page) => Promise<void>,
  options: BrowserContextOptions = wide,
): Promise<void> {
  const { page, faults, asked } = await openPage(browser, served.url, options)
  await using _ = { [Symbol.asyncDispose]: () => page.context().close() }
  await act(page)
  expect(faults).toEqual([])
  expect(asked.filter((address) => !address.startsWith(`http://127.0.0.1:${served.port}/`))).toEqual([])
}

const text = (page: Page, selector: string) => page.locator(selector).innerText()
const treeRow = (page: Page, name: string) => page.locator('#tree [role=treeitem]', { hasText: name }).first()

function landed(served: ServedPage): void {
  served.narrator.begin(manual, 'watching the victim that is driven by hand: 9512 entries', () => sampled)
  tellLanding(served.narrator, (path, content) => served.tree.write(path, content))
}

describe('the live page', () => {
  it('shows a landing in red with its sentence, the decoys, and the content of a file on click', async () => {
    await using served = await ServedPage.start()
    await looking(served, async (page) => {
      await page.locator('#connection[data-state=live]').waitFor()
      await expect.poll(() => text(page, '#watching')).toBe('No victim yet.')
      landed(served)
      const landing = page.locator('#landings .landed').first()
      await landing.waitFor()
      await expect.poll(() => landing.innerText()).toMatch(/a file was written one level above the skill's directory/i)
      const [red = 0, green = 0, blue = 0] = await landing.locator('.said').evaluate(colourOf)
      expect([red > 150, green < 80, blue < 80]).toEqual([true, true, true])
      await expect.poll(() => text(page, '#count-landed')).toBe('2')
      await expect.poll(() => text(page, '#watching')).toBe('Watching the victim that is driven by hand')
      await expect.poll(() => text(page, '#decoys')).toMatch(/ssh-key\s+linked/)
      await expect.poll(() => text(page, '#decoys')).toMatch(/dotenv\s+deleted/)
      await expect.poll(() => text(page, '#decoys')).toMatch(/agent-memory\s+intact/)
      await expect.poll(() => text(page, '#announce')).toContain('Landed: adv-zip-traversal/')
      await landing.locator('button').click()
      await page.locator('#file .line').first().waitFor()
      await expect.poll(() => text(page, '#file')).toContain('This is a canary. It does nothing.')
      await expect.poll(() => page.locator('#file .token').innerText()).toMatch(/^LFC-/)
      await treeRow(page, 'landfall-absolute.txt').click()
      await page.locator('#file .escape', { hasText: '\\u{202E}' }).waitFor()
      await expect.poll(() => text(page, '#file')).toContain('\\u{202E}This is a canary.\\e[31m\\r')
      await page.locator('#file-form').click()
      await expect.poll(() => text(page, '#file .hex')).toContain('e2 80 ae')
      await expect.poll(() => text(page, '#processes')).toContain('landfall-host install adv-zip-traversal')
    })
  })

  it('is the same for one who comes late', async () => {
    await using served = await ServedPage.start()
    landed(served)
    await looking(served, async (page) => {
      await page.locator('#landings .landed').nth(1).waitFor()
      await expect.poll(() => page.locator('#events .event.landed').count()).toBe(2)
    })
  })

  it('shows hostile names as text, in both widths, with what hides in them made visible', async () => {
    await using served = await ServedPage.start()
    served.narrator.begin(manual, 'begin')
    const changes = hostileNames.map((name) => added(wirePath(`/home/agent/${name}`), name))
    served.narrator.seen('manual', [], { changes, sightings: [], decoys: [] })
    for (const name of hostileNames)
      served.narrator.blind('manual', [
        { kind: 'unreadable', detail: `cannot open ${name}`, path: wirePath(`/${name}`) },
      ])
    for (const size of [wide, narrow]) {
      await looking(
        served,
        async (page) => {
          await treeRow(page, 'quoted').waitFor()
          await page.locator('#kinds').selectOption('all')
          expect(await page.title()).toBe('Landfall observer')
          await expect.poll(() => page.locator('script').count()).toBe(2)
          await expect.poll(() => page.locator('main img, main b, main iframe').count()).toBe(0)
          const whole = await text(page, 'body')
          expect(whole.replaceAll(/\s/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
          for (const shown of ['<script>document.title=', '\\u{202E}gpj.exe', 'zero\\u{200B}width', '\\e[31mred\\x07'])
            expect(whole).toContain(shown)
          await treeRow(page, 'photo').click()
          await expect.poll(() => text(page, '#file .whole')).toBe('/home/agent/photo\\u{202E}gpj.exe')
          expect(await page.evaluate(overflow)).toBe(0)
        },
        size,
      )
    }
  })

  it('keeps ten thousand rows in step with the hand, and nothing moves', async () => {
    await using served = await ServedPage.start()
    served.narrator.begin(manual, 'begin')
    await looking(served, async (page) => {
      await page.locator('#connection[data-state=live]').waitFor()
      await page.evaluate(watchShifts)
      const changes = Array.from({ length: 10_000 }, (_, index) =>
        added(`/tmp/many/file-${String(index).padStart(5, '0')}`),
      )
      served.narrator.seen('manual', [], { changes, sightings: [], decoys: [] })
      for (let index = 0; index < 10_000; index += 1)
        served.feed.publish({ trial: 'manual', kind: 'change', text: `added file ${index}`, path: '/tmp/x' })
      await page.locator('#count-change', { hasText: '10,000' }).waitFor()
      await page.locator('#kinds').selectOption('all')
      await page.locator('#events .row', { hasText: 'added file 9999' }).waitFor()
      await page.locator('#tree').focus()
      const begin = performance.now()
      for (const key of ['Home', 'ArrowRight', 'End']) await page.keyboard.press(key)
      await treeRow(page, 'file-09999').waitFor()
      await page.keyboard.press('PageUp')
      await page.keyboard.press('Home')
      await treeRow(page, 'tmp/many').waitFor()
      const took = performance.now() - begin
      process.stderr.write(`page: open and walk a folder of 10,000 entries in ${Math.round(took)} ms\n`)
      expect(took).toBeLessThan(3_000)
      await expect.poll(() => page.locator('#tree [role=treeitem]').count()).toBeLessThan(60)
      await expect.poll(() => page.locator('#events .row').count()).toBeLessThan(60)
      await page.locator('#events').evaluate(toTheEnd)
      await page
        .locator('#events .row', { hasText: /added file \d/ })
        .first()
        .waitFor()
      expect(await page.evaluate(shifted)).toBeLessThan(0.1)
    })
  })

  it('can be walked with the keyboard alone', async () => {
    await using served = await ServedPage.start()
    landed(served)
    await looking(served, async (page) => {
      await page.locator('#landings .landed').first().waitFor()
      const reached: string[] = []
      for (let step = 0; step < 30; step += 1) {
        await page.keyboard.press('Tab')
        const id = await page.evaluate(focused)
        if (id === 'skip' && reached.length > 0) break
        reached.push(id)
      }
      for (const id of ['skip', 'theme', 'which', 'export', 'link', 'tree', 'file', 'kinds', 'events', 'processes'])
        expect(reached).toContain(id)
      expect(reached.filter((id) => id === 'tree')).toHaveLength(1)

      await page.locator('#tree').focus()
      const active = () => page.locator('#tree').evaluate(activeRow)
      const press = async (key: string) => {
        await page.keyboard.press(key)
        return active()
      }
      expect(await active()).toBe('home/agent true 1')
      expect(await press('ArrowLeft')).toBe('home/agent false 1')
      expect(await press('ArrowRight')).toBe('home/agent true 1')
      expect(await press('ArrowRight')).toBe('.agents true 2')
      expect(await press('End')).toMatch(/^landfall-absolute.txt {2}/)
      expect(await press('ArrowLeft')).toBe('tmp true 1')
      expect(await press('Home')).toBe('home/agent true 1')
      expect(await press('l')).toMatch(/^landfall-1.txt/)
      await page.keyboard.press('Enter')
      await page.locator('#file .line').first().waitFor()
      await expect.poll(() => page.locator('#tree [aria-selected=true]').innerText()).toContain('landfall-1.txt')
    })
  })

  it('says how many events it was never told', async () => {
    await using served = await ServedPage.start()
    for (let index = 0; index < 700; index += 1) served.feed.publish({ trial: 'manual', kind: 'ok', text: `${index}` })
    await looking(served, async (page) => {
      await page.locator('#events .row', { hasText: '699' }).waitFor()
      await page.locator('#kinds').selectOption('blind')
      await expect.poll(() => text(page, '#events')).toContain('200 events that this page was not told')
    })
  })

  it('says that the connection is lost, and follows an observer that was started anew', async () => {
    const first = await ServedPage.start()
    const { port } = first
    landed(first)
    await looking(first, async (page) => {
      await page.locator('#landings .landed').first().waitFor()
      await first[Symbol.asyncDispose]()
      await page.locator('#connection', { hasText: 'connection lost' }).waitFor()
      await using second = await ServedPage.start({ port })
      second.narrator.begin({ ...manual, entries: 7 }, 'another victim')
      await page.locator('#connection[data-state=live]').waitFor()
      await page.locator('#facts', { hasText: /entries\s*7/ }).waitFor()
      await page.locator('#events .row', { hasText: 'another victim' }).waitFor()
      await expect.poll(() => page.locator('#events .row').count()).toBe(1)
      await expect.poll(() => page.locator('#landings .landed').count()).toBe(0)
    })
  })

  it('is light or dark as the system is, or as somebody chose, also next time', async () => {
    await using served = await ServedPage.start()
    landed(served)
    const ground = (page: Page) => page.locator('body').evaluate(groundOf)
    const [light, dark] = ['rgb(246, 246, 244)', 'rgb(20, 23, 26)']
    await looking(served, async (page) => expect(await ground(page)).toBe(light), { ...wide, colorScheme: 'light' })
    await looking(
      served,
      async (page) => {
        expect(await ground(page)).toBe(dark)
        await page.locator('#theme').click()
        await expect.poll(() => text(page, '#theme')).toBe('Theme: light')
        expect(await ground(page)).toBe(light)
        await page.reload()
        expect(await ground(page)).toBe(light)
        await page.locator('#theme').click()
        await expect.poll(() => text(page, '#theme')).toBe('Theme: dark')
        await page.emulateMedia({ colorScheme: 'light' })
        expect(await ground(page)).toBe(dark)
      },
      { ...wide, colorScheme: 'dark' },
    )
  })

  it.each([
    ['light', wide],
    ['dark', wide],
    ['light', narrow],
    ['dark', narrow],
  ] as const)('is legible in %s colours, and nothing sticks out', async (colorScheme, size) => {
    await using served = await ServedPage.start()
    landed(served)
    await looking(
      served,
      async (page) => {
        await page.locator('#landings .landed').first().waitFor()
        await page.locator('#landings button').first().click()
        await page.locator('#file .line').first().waitFor()
        expect(await page.evaluate(overflow)).toBe(0)
        expect(await page.evaluate(faint)).toEqual([])
      },
      { ...size, colorScheme },
    )
  })

  it('of a run says so, shows trials that have ended, and exports them', async () => {
    await using served = await ServedPage.start({ mode: 'run' })
    const about = {
      id: 'one',
      fixture: 'adv-zip-traversal',
      host: 'naive',
      channel: 'archive-file',
      user: 'agent',
    } as const
    for (const trial of ['t1', 't2']) {
      served.narrator.begin({ ...manual, trial, about, rounds: false }, `watching ${trial}`)
      served.narrator.seen(trial, [], { changes: [added(`/tmp/of-${trial}`, trial)], sightings: [], decoys: [] })
      served.narrator.end(trial, 'ended', 'ended', { trial, processes: sampled } as Observation)
    }
    await looking(served, async (page) => {
      await page.locator('#run-note', { hasText: 'part of the run r-1' }).waitFor()
      expect(await page.locator('#hint').isVisible()).toBe(false)
      await treeRow(page, 'of-t2').waitFor()
      await expect.poll(() => text(page, '#facts')).toMatch(/host\s+naive/)
      await page.locator('#which').selectOption({ index: 1 })
      await treeRow(page, 'of-t1').waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#export').click()])
      expect(download.suggestedFilename()).toBe('landfall-t1.json')
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      const exported = TrialExport.parse(JSON.parse(Buffer.concat(chunks).toString()))
      expect(exported).toMatchObject({
        trial: { trial: 't1', state: 'ended' },
        changes: { rows: [{ path: '/tmp/of-t1' }] },
        observation: { trial: 't1' },
        leftOut: [{ path: '/tmp/of-t1', why: 'it is not kept' }],
      })
      expect(exported.events.map(({ kind }) => kind)).toEqual(['begin', 'change', 'end'])
    })
  })

  it('shows what the sinkhole heard of this trial, and that it does not answer', async () => {
    await using served = await ServedPage.start({ mode: 'run' })
    served.narrator.begin({ ...manual, trial: 't1', rounds: false }, 'watching t1')
    const told = { time: new Date().toISOString(), kind: 'sent', fixture: 'adv-x', site: 'sent' } as const
    served.page.sinkhole('connected')
    served.page.hit({ ...told, id: 1, trial: 't1', text: 'POST http://evil.example/<b>x</b>' })
    served.page.hit({ ...told, id: 2, trial: 't2', text: 'of another trial' })
    await looking(served, async (page) => {
      await page.locator('#sinkhole .row', { hasText: 'POST http://evil.example/<b>x</b>' }).waitFor()
      await expect.poll(() => page.locator('#sinkhole .row').count()).toBe(1)
      served.page.sinkhole('lost')
      await page.locator('#sinkhole-state', { hasText: 'does not answer' }).waitFor()
    })
  })

  it('says how each number about processes was obtained', async () => {
    await using served = await ServedPage.start()
    await looking(served, async (page) => {
      await page.locator('summary').click()
      const told = (await text(page, 'details')).replaceAll(/\s+/g, ' ')
      for (const sentence of Object.values(howTotals)) expect(told).toContain(sentence)
      expect(await page.locator('#sinkhole-panel').isVisible()).toBe(false)
    })
  })

  it('shows a removed entry without asking for its content', async () => {
    await using served = await ServedPage.start()
    served.narrator.begin(manual, 'begin')
    served.narrator.seen('manual', [], {
      changes: [{ kind: 'removed', path: '/etc/motd', before: entryOf('/etc/motd', { size: 286 }) }],
      sightings: [],
      decoys: [],
    })
    const { page, asked } = await openPage(browser, served.url, wide)
    await treeRow(page, 'motd').click()
    await page.locator('#file', { hasText: 'removed' }).waitFor()
    expect(asked.filter((address) => /content|evidence/.test(address))).toEqual([])
    await page.context().close()
  })
})
