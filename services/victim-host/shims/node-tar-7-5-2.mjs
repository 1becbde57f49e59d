// The npm package tar as it was in 7.5.2.
import { shim } from './shim.mjs'

await shim('tar-7.5.2', async (archive, dest) => {
  const { extract } = await import('tar-7.5.2')
  return extract({ file: archive, cwd: dest })
})
