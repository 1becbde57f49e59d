import { describe, expect, it } from 'vitest'
import { type BrowserFacts, planBrowser } from './browser.ts'

const bare: BrowserFacts = { env: {}, exists: () => false, isRoot: true, osRelease: 'ID=debian\n' }
const message = (facts: BrowserFacts): string => {
  const plan = planBrowser(facts)
  return plan.do === 'without' ? plan.message : plan.do
}

describe('the browser for tests of pages', () => {
  it('is used where it is, or where somebody says it is', () => {
    expect(planBrowser({ ...bare, exists: (path) => path === '/usr/bin/chromium' })).toEqual({ do: 'use' })
    expect(planBrowser({ ...bare, env: { LANDFALL_CHROMIUM: '/opt/chromium' } })).toEqual({ do: 'use' })
  })

  it('is installed by root on Debian and what is made from it', () => {
    expect(planBrowser(bare)).toEqual({ do: 'install' })
    expect(planBrowser({ ...bare, osRelease: 'ID=linuxmint\nID_LIKE="ubuntu debian"\n' })).toEqual({ do: 'install' })
  })

  it('is not installed against anybody, and the way by hand is said', () => {
    expect(message({ ...bare, env: { LANDFALL_SETUP: 'never' } })).toContain('LANDFALL_SETUP=never')
    expect(message({ ...bare, isRoot: false })).toContain('only root')
    expect(message({ ...bare, osRelease: 'ID=ubuntu\nID_LIKE=debian\nPRETTY_NAME=U\n' })).toContain('U has no package')
    expect(message({ ...bare, osRelease: '' })).toContain('LANDFALL_CHROMIUM')
  })
})
