import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { skillDestination, victimLayout } from '@landfall/contracts/layout'

/**
 * Run while the image is built: real calls of `landfall-host` against a server of its own, so that Node's
 * compile cache holds what they load. The cache is read-only afterwards.
 */
const name = 'warm-up'
const archive = gzipSync(Buffer.alloc(1024))
const sha256 = createHash('sha256').update(archive).digest('hex')
const offer = { url: `skill://${name}.tar.gz`, mimeType: 'application/gzip', digest: `sha256:${sha256}` }
const index = { skills: [{ frontmatter: { name, description: 'Fills a cache.' }, archives: [offer] }] }

// The first two reads are those of an installation. What comes then is turned away, so that the SDK's client
// is loaded as well.
const server = createServer((request, response) => {
  const reading = String(request.headers['mcp-name'])
  const content = reading === offer.url ? { blob: archive.toString('base64') } : { text: JSON.stringify(index) }
  const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', contents: [{ uri: reading, ...content }] }
  if (request.url === '/other') response.writeHead(404).end()
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: nextId(), result }))
})
let served = 0
const nextId = (): number => (served += 1)

server.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const address = server.address()
if (address === null || typeof address === 'string') throw new Error('the server has no port')
const base = `http://127.0.0.1:${address.port}`

const run = promisify(execFile)
const { stdout } = await run('landfall-host', ['install', '--host', 'gnu-tar', '--url', `${base}/mcp`, '--json'])
process.stdout.write(stdout)
await run('landfall-host', ['list'])
await run('landfall-host', ['install', 'control-benign', '--host', 'inert', '--url', `${base}/other`]).catch(
  () => undefined,
)
server.close()

const layout = victimLayout('root')
rmSync(skillDestination(layout, name), { recursive: true })
rmSync(`${layout.inbox}/${name}.tar.gz`)
