import { get } from 'node:http'

/**
 * Exits 0 when the control port answers as healthy: run by the engine inside the sinkhole, and inside its relay. It
 * loads nothing but Node's own: it runs twice a second while the lab starts, on the cores that the start needs.
 */
const host = process.env['RELAY_HOST'] ?? process.env['CONTROL_HOST'] ?? '127.0.0.1'
const port = process.env['CONTROL_PORT'] ?? '3970'

const request = get({ host, port, path: '/healthz', timeout: 4_000 }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1)
})
request.on('timeout', () => process.exit(1))
request.on('error', () => process.exit(1))
