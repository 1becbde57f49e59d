import { readFileSync } from 'node:fs'

/**
 * What every shim of an npm package does: `node <shim> ARCHIVE DEST`, or `--version`. A failure is one line and
 * exit code 1, because uncaught it would print the library's whole source line.
 */
export async function shim(name, extract) {
  const [archive, dest] = process.argv.slice(2)
  if (archive === '--version') {
    const manifest = new URL(`node_modules/${name}/package.json`, import.meta.url)
    const { name: real, version } = JSON.parse(readFileSync(manifest, 'utf8'))
    process.stdout.write(`${real} ${version} on node ${process.version}\n`)
    return
  }
  try {
    await extract(archive, dest)
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
    // As a shell says it of a command that is not there: a library that cannot be loaded has refused nothing.
    process.exitCode = error.code === 'ERR_MODULE_NOT_FOUND' ? 127 : 1
  }
}
