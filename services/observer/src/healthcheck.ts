import { Health } from '@landfall/contracts'
import { readSettings, wildcard } from './settings.ts'

/** Exits 0 when the observer answers as healthy. Run by the engine inside the container. */
const { host, port } = readSettings(process.env)
const name = host === wildcard ? '127.0.0.1' : host
const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(5_000) })
process.exitCode = answer.ok && Health.safeParse(await answer.json()).success ? 0 : 1
