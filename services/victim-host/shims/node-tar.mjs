// The npm package tar with its defaults.
import { createRequire } from 'node:module'

const [archive, dest] = process.argv.slice(2)
if (archive === '--version') {
  const { version } = createRequire(import.meta.url)('tar/package.json')
  process.stdout.write(`tar ${version} on node ${process.version}\n`)
} else {
  const { extract } = await import('tar')
  await extract({ file: archive, cwd: dest })
}
