/**
 * Brings the browser that tests look at pages with: the distribution's own Chromium, and only where that is a
 * package that runs by itself. Nothing but the tests needs it.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { aptInstall, aptPolicies, aptUpdate } from './apt.ts'
import { hasAptPackages } from './packages.ts'
import { parseOsRelease } from './os-release.ts'
import { sayOnStderr, seconds, type Say } from './say.ts'

/** Where a distribution puts it. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

export interface BrowserFacts {
  readonly env: NodeJS.ProcessEnv
  readonly exists: (path: string) => boolean
  readonly isRoot: boolean
  readonly osRelease: string
}

export type BrowserPlan = { readonly do: 'use' | 'install' } | { readonly do: 'without'; readonly message: string }

/** What there is to do for a browser. Pure. */
export function planBrowser({ env, exists, isRoot, osRelease }: BrowserFacts): BrowserPlan {
  if ((env['LANDFALL_CHROMIUM'] ?? '') !== '' || places.some(exists)) return { do: 'use' }
  const os = parseOsRelease(osRelease)
  const byHand = 'Install Chromium, or name it in LANDFALL_CHROMIUM; the tests of pages fail without'
  const without = (why: string): BrowserPlan => ({ do: 'without', message: `no Chromium, and ${why}. ${byHand}.` })
  if (env['LANDFALL_SETUP'] === 'never') return without('LANDFALL_SETUP=never forbids to install it')
  // Ubuntu's package of that name is a snap, which most machines of a CI cannot run.
  if (!hasAptPackages(os) || os.id === 'ubuntu') return without(`${os.prettyName} has no package of it that is known`)
  if (!isRoot) return without('only root may install it')
  return { do: 'install' }
}

/** Installs Chromium when it is missing and may be installed; otherwise says why not. Never fails: the tests will. */
export async function bringBrowser(say: Say = sayOnStderr): Promise<void> {
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const plan = planBrowser({ env: process.env, exists: existsSync, isRoot: process.getuid?.() === 0, osRelease })
  if (plan.do === 'use') return
  if (plan.do === 'without') return say(plan.message)
  say('missing: Chromium, for the tests of pages; installing it (LANDFALL_SETUP=never forbids)')
  const began = Date.now()
  try {
    const known = (await aptPolicies(['chromium'])).get('chromium')?.candidate !== undefined
    if (!known) await aptUpdate(say)
    await aptInstall(['chromium'], say)
    say(`installed Chromium in ${seconds(Date.now() - began)}`)
  } catch (error) {
    say(`Chromium could not be installed: ${error instanceof Error ? error.message : String(error)}`)
  }
}
