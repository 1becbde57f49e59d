// The npm package tar with its defaults.
import { shim } from './shim.mjs'

await shim('tar', async (archive, dest) => {
  const { extract } = await import('tar')
  return extract({ file: archive, cwd: dest })
})
