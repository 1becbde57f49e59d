// The npm package tar with strict, which turns every warning into an error.
import { shim } from './shim.mjs'

await shim('tar', async (archive, dest) => {
  const { extract } = await import('tar')
  return extract({ file: archive, cwd: dest, strict: true })
})
