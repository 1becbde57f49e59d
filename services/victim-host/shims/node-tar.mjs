// The npm package tar with its defaults.
import { createRequire } from 'node:module'

const [archive, dest] = process.argv.slice(2)
if (archive === '--version') {
  const { version } = createRequire(import.meta.url)('tar/package.json')
  process.stdout.write(`tar ${version} on node ${process.version}\n`)
} else {
  const { extract } = await import('tar')
  try {
    await extract({ file: archive, cwd: dest })
  } catch (error) {
    // Uncaught, it would print the library's whole source line.
    process.stderr.write(`${String(error)}\n`)
    process.exitCode = 1
  }
}
