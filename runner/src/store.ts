import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  channels,
  LandfallError,
  parseAs,
  type Results,
  resultsJsonSchema,
  resultsSchemaFile,
  TrialResult,
  users,
} from '@landfall/contracts'
import { z } from 'zod'
import { messageOf } from './engine.ts'
import { fetchEvidence } from './kept-evidence.ts'
import type { JudgedTrial } from './trial.ts'

/**
 * The results folder of a run. A trial is on disk as soon as it ends: its evidence first, then its line in
 * `trials.ndjson`, so that a line always has its evidence and a killed run loses nothing that was finished.
 */
const runId = /^[0-9a-z-]+$/

export const RunManifest = z.strictObject({
  id: z.string().regex(runId),
  seed: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  selection: z.strictObject({
    fixtures: z.array(z.string()).optional(),
    hosts: z.array(z.string()).optional(),
    all: z.boolean().optional(),
    channels: z.array(z.enum(channels)).optional(),
    users: z.array(z.enum(users)),
  }),
  hostsDir: z.string().optional(),
})
export type RunManifest = z.infer<typeof RunManifest>

export class RunStore {
  readonly folder: string
  readonly #results: string
  readonly run: RunManifest

  private constructor(results: string, run: RunManifest) {
    this.#results = results
    this.run = run
    this.folder = join(results, run.id)
  }

  static async create(results: string, run: RunManifest): Promise<RunStore> {
    const store = new RunStore(results, run)
    try {
      await makeFolder(join(store.folder, 'trials'))
      await writeFile(join(store.folder, 'run.json'), json(run))
    } catch (cause) {
      throw new LandfallError(
        'usage',
        `cannot write results to ${results}: ${messageOf(cause)}`,
        { results },
        { cause },
      )
    }
    return store
  }

  /** @throws LandfallError `usage` when there is no such run, `invalid` when its files are damaged. */
  static async open(results: string, id: string): Promise<RunStore> {
    // The id becomes a path: it must be one of ours.
    if (!runId.test(id)) throw new LandfallError('usage', `${JSON.stringify(id)} is not the id of a run`, { run: id })
    const file = join(results, id, 'run.json')
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (cause) {
      throw new LandfallError('usage', `no run ${id} to resume: ${file} cannot be read`, { run: id }, { cause })
    }
    return new RunStore(results, parseAs(RunManifest, parseJson(text, file), file))
  }

  /** Trials that ended earlier. A last line that a crash cut off is dropped, and its trial runs again. */
  async finished(): Promise<TrialResult[]> {
    const file = join(this.folder, 'trials.ndjson')
    const text = await readFile(file, 'utf8').catch(() => '')
    const complete = text.slice(0, text.lastIndexOf('\n') + 1)
    if (complete.length < text.length) await writeFile(file, complete)
    const lines = complete.split('\n').filter((line) => line !== '')
    return lines.map((line, index) => parseAs(TrialResult, parseJson(line, file), `${file}:${index + 1}`))
  }

  /** `observer` is where the trial was observed: what it kept of the victim's files is brought here first. */
  async add({ result, observed }: JudgedTrial, observer: string): Promise<void> {
    const folder = join(this.folder, result.evidence)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const { install, use, record, sent, disagreements } = observed
    const observation = await fetchEvidence(observed.observation, observer, this.folder)
    const { stdout, stderr, ...step } = install
    await Promise.all([
      writeFile(join(folder, 'observation.json'), json(observation)),
      writeFile(join(folder, 'access.json'), json(record)),
      writeFile(join(folder, 'sinkhole.json'), json(sent)),
      writeFile(join(folder, 'install.json'), json(step)),
      ...(use === undefined ? [] : [writeFile(join(folder, 'use.json'), json(use))]),
      ...(disagreements === undefined ? [] : [writeFile(join(folder, 'disagreements.json'), json(disagreements))]),
      writeFile(join(folder, 'install.stdout.log'), stdout),
      writeFile(join(folder, 'install.stderr.log'), stderr),
    ])
    await this.addLine(result)
  }

  /** A trial that left no evidence: it needed no victim, or the lab failed before there was any. */
  async addLine(result: TrialResult): Promise<void> {
    await appendFile(join(this.folder, 'trials.ndjson'), `${JSON.stringify(result)}\n`)
  }

  /** Writes `results.json` and lets `latest` point here. */
  async finish(results: Results): Promise<void> {
    await this.write(resultsSchemaFile, json(resultsJsonSchema()))
    await this.write('results.json', json(results))
    const link = join(this.#results, 'latest')
    const fresh = `${link}.${this.run.id}`
    await rm(fresh, { force: true })
    await symlink(this.run.id, fresh)
    await rename(fresh, link)
  }

  async write(name: string, text: string): Promise<string> {
    const file = join(this.folder, name)
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
    return file
  }
}

/** Step by step: Node's own recursive way never ends where a folder cannot be made and does not say so (/proc). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await mkdir(path)
  }
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LandfallError('invalid', `${file} is not JSON`, { file }, { cause })
  }
}
