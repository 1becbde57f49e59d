import { existsSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'

/** The system's Chromium, for tests that look at a page. `npm test` brings it where it can. */
const executable =
  process.env['LANDFALL_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path))

export async function launchBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('no Chromium: install it, or name it in LANDFALL_CHROMIUM')
  return chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export interface OpenedPage {
  readonly page: Page
  /** Errors of the page's script, and whatever the browser refused because of the page's policy. */
  readonly faults: readonly string[]
  /** Addresses that the page asked for. */
  readonly asked: readonly string[]
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<OpenedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  const asked: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // A lost connection is told there too, and belongs to the tests.
    if (message.type() === 'error' && !/ERR_|Failed to load resource/.test(message.text())) faults.push(message.text())
  })
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(url)
  return { page, faults, asked }
}
