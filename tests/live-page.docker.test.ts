import { TrialExport } from '@landfall/contracts'
import { DockerComposeEnvironment, Wait } from 'testcontainers'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectEngine } from '../runner/src/engine.ts'
import { candidateNets, takenSubnets } from '../runner/src/lab-net.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { launchBrowser, openPage } from '../services/observer/src/testing/browser.ts'
import { colourOf } from '../services/observer/src/testing/in-page.js'
import { root } from './support/landfall.ts'

// Building images is not a part of the test's time.
beforeAll(() => preflight({ root, say: () => undefined }))

describe("the observer's page in a lab that is driven by hand", () => {
  it('shows what a hostile skill did, in red and with its sentence, the decoy and the content of a file', async () => {
    const run = `live-page-${process.pid}`
    const [net = ''] = candidateNets(run, await takenSubnets(await connectEngine()))
    await using lab = await new DockerComposeEnvironment(root, 'compose.yaml')
      .withProjectName(`landfall-${run}`)
      .withEnvironment({
        LANDFALL_RUN: run,
        LANDFALL_LAB_NET: net,
        LANDFALL_SERVER_PORT: '0',
        LANDFALL_CONTROL_PORT: '0',
        LANDFALL_OBSERVER_PORT: '0',
        LANDFALL_SINKHOLE_PORT: '0',
      })
      .withAutoCleanup(false)
      .withWaitStrategy('observer-1', Wait.forHealthCheck())
      // The engine may be busy with other tests' labs.
      .withStartupTimeout(180_000)
      .up()
    const victim = lab.getContainer('victim-host-1')
    const url = `http://127.0.0.1:${lab.getContainer('observer-1').getMappedPort(3960)}/`
    const browser = await launchBrowser()
    await using _ = { [Symbol.asyncDispose]: () => browser.close() }
    const { page, faults } = await openPage(browser, url, { viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(60_000)
    await page.locator('#watching', { hasText: 'Watching the victim that is driven by hand' }).waitFor()
    await page.locator('#decoys', { hasText: /ssh-key\s*intact/ }).waitFor()

    for (const fixture of ['adv-zip-traversal', 'adv-zip-symlink-escape']) {
      const installed = await victim.exec(['landfall-host', 'install', fixture, '--host', 'naive'])
      expect([fixture, installed.exitCode, installed.output]).toEqual([fixture, 0, installed.output])
    }
    const landing = page.locator('#landings .landed', { hasText: "one level above the skill's directory" })
    await landing.waitFor()
    const [red = 0, green = 0, blue = 0] = await landing.locator('.said').evaluate(colourOf)
    expect([red > 150, green < 80, blue < 80]).toEqual([true, true, true])
    await page.locator('#decoys li', { hasText: 'ssh-key' }).locator('.tag', { hasText: 'linked' }).first().waitFor()
    await landing.locator('button').click()
    await page.locator('#file .token').first().waitFor()
    expect(await page.locator('#file .token').first().innerText()).toMatch(/^LFC-[0-9a-f]{32}$/)
    await page.locator('#processes .row', { hasText: 'install adv-zip-symlink-escape' }).first().waitFor()
    await page.locator('#sinkhole-state', { hasText: 'listening' }).waitFor()
    expect(Number(await page.locator('#count-landed').innerText())).toBeGreaterThan(2)

    const answer = await fetch(`${url}trials/manual/export`)
    const exported = TrialExport.parse(await answer.json())
    expect(exported.contents.length).toBeGreaterThan(0)
    expect(exported.contents.some(({ base64 }) => Buffer.from(base64, 'base64').includes('LFC-'))).toBe(true)
    expect(faults).toEqual([])
  })
})
