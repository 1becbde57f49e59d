import { Health } from '@landfall/contracts'
import { readConfig } from './config.ts'

/** For the container's health check: exits 0 when the MCP port answers as it should, otherwise 1. */
const timeoutMs = 2_000
const anyAddress = ['0.0.0.0', '::']

try {
  const { host, port } = readConfig(process.env)
  const address = anyAddress.includes(host) ? '127.0.0.1' : host
  const response = await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(timeoutMs) })
  Health.parse(await response.json())
  process.exitCode = response.ok ? 0 : 1
} catch {
  process.exitCode = 1
}
