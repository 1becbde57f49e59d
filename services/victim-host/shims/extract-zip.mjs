// The npm package extract-zip with its defaults.
import { createRequire } from 'node:module'

const [archive, dest] = process.argv.slice(2)
if (archive === '--version') {
  const { version } = createRequire(import.meta.url)('extract-zip/package.json')
  process.stdout.write(`extract-zip ${version} on node ${process.version}\n`)
} else {
  const { default: extract } = await import('extract-zip')
  try {
    await extract(archive, { dir: dest })
  } catch (error) {
    // Uncaught, it would print the library's whole source line.
    process.stderr.write(`${String(error)}\n`)
    process.exitCode = 1
  }
}
