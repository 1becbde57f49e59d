import { execa } from 'execa'
import { DockerComposeEnvironment, type StartedDockerComposeEnvironment, Wait } from 'testcontainers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectEngine } from '../runner/src/engine.ts'
import { candidateNets, takenSubnets } from '../runner/src/lab-net.ts'
import { preflight } from '../runner/src/preflight/index.ts'
import { program, workloads } from '../services/observer/src/live/workloads.ts'
import { root } from './support/landfall.ts'

/** The loss table once more, in the folder of `compose.exact.yaml`: there nothing is lost, and so nothing is said to be. */
let lab: StartedDockerComposeEnvironment
const folder = '/home/agent/exact'
const Totals = z.object({ kind: z.literal('totals'), standing: z.int(), transient: z.int(), overflows: z.int() })

beforeAll(async () => {
  await preflight({ root, say: () => undefined })
  const run = `exact-${process.pid}`
  const [net = ''] = candidateNets(run, await takenSubnets(await connectEngine()))
  const ports = ['SERVER', 'CONTROL', 'OBSERVER', 'SINKHOLE'].map((name) => [`LANDFALL_${name}_PORT`, '0'] as const)
  lab = await new DockerComposeEnvironment(root, ['compose.yaml', 'compose.exact.yaml'])
    .withProjectName(`landfall-${run}`)
    .withEnvironment({ LANDFALL_RUN: run, LANDFALL_LAB_NET: net, ...Object.fromEntries(ports) })
    .withAutoCleanup(false)
    .withWaitStrategy('exact-1', Wait.forHealthCheck())
    .withStartupTimeout(180_000)
    .up()
})
afterAll(async () => void (await lab.down({ removeVolumes: true })))

const idOf = (service: string) => lab.getContainer(`${service}-1`).getId()
const docker = async (...args: readonly string[]) => (await execa('docker', args)).stdout

async function inVictim(base: string, body: string): Promise<void> {
  await docker('exec', idOf('victim-host'), 'node', '-e', program(base, body))
}

async function restartExact(): Promise<void> {
  await docker('restart', idOf('exact'))
  const ready = async () =>
    (await execa('docker', ['exec', idOf('exact'), 'test', '-f', '/run/landfall/ready'], { reject: false })).exitCode
  await expect.poll(ready, { timeout: 30_000 }).toBe(0)
}

/** Undefined as long as something happens. */
async function totals() {
  const line: unknown = JSON.parse(await docker('logs', '--tail', '1', idOf('exact')))
  return Totals.safeParse(line).data
}

describe('the loss table with the exact option', () => {
  it.each(workloads)(
    '$name: all that stands and all that came and went',
    async ({ name, prepare, run, ...expected }) => {
      const base = `${folder}/${workloads.findIndex((each) => each.name === name)}`
      await inVictim(base, 'fs.mkdirSync(base)')
      if (prepare !== undefined) await inVictim(base, prepare)
      await restartExact()
      await inVictim(base, run)
      const { standing, transient } = expected
      const told = { kind: 'totals', standing, transient, overflows: 0 }
      await expect.poll(totals, { timeout: 60_000, interval: 300 }).toEqual(told)
      process.stdout.write(`exact: ${name}: ${standing} standing, ${transient} came and went, nothing lost\n`)
    },
  )
})
