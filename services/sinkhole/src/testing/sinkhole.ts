import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SinkholeRecord, SinkholeUnattributed, type SinkholeRegistration } from '@landfall/contracts'
import { defaultLimits, type Limits } from '../limits.ts'
import { createLog } from '../log.ts'
import { startSinkhole } from '../service.ts'
import { readSettings } from '../settings.ts'

/** A sinkhole on free ports of the loopback, whose victims are this process. */
export async function startTestSinkhole(limits: Partial<Limits> = {}, env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-sinkhole-'))
  const lines: string[] = []
  const anyPort = { HTTP_PORT: '0', HTTPS_PORT: '0', DNS_PORT: '0', CONTROL_PORT: '0' }
  const settings = readSettings({ ...anyPort, CA_FOLDER: folder, ...env })
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const started = await startSinkhole(settings, { log, limits: { ...defaultLimits, ...limits } })
  const control = `http://127.0.0.1:${started.controlPort}`
  return {
    ...started,
    control,
    lines,
    /** PEM, as victims read it. */
    certificate: await readFile(join(folder, 'ca.pem'), 'utf8'),
    http: `http://127.0.0.1:${started.httpPort}`,
    async register(trial: Partial<SinkholeRegistration>): Promise<Response> {
      const body = { key: 't-1', address: '127.0.0.1', tokens: [], answers: [], ...trial }
      return fetch(`${control}/trials`, { method: 'POST', headers: json, body: JSON.stringify(body) })
    },
    record: async (key = 't-1') => SinkholeRecord.parse(await (await fetch(`${control}/trials/${key}`)).json()),
    unattributed: async () => SinkholeUnattributed.parse(await (await fetch(`${control}/unattributed`)).json()),
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const json = { 'content-type': 'application/json' }

export const tokenOf = (digit: string): string => `LFC-${digit.repeat(32)}`
