import { Health } from '@landfall/contracts'

/** Exits 0 when the control port answers as healthy: run by the engine inside the sinkhole, and inside its relay. */
const name = process.env['RELAY_HOST'] ?? process.env['CONTROL_HOST'] ?? '127.0.0.1'
const port = process.env['CONTROL_PORT'] ?? '3970'
try {
  const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })
  process.exitCode = answer.ok && Health.safeParse(await answer.json()).success ? 0 : 1
} catch {
  process.exitCode = 1
}
