// The last tar of version 6, which many lock files still hold.
import { shim } from './shim.mjs'

await shim('tar-6.2.1', async (archive, dest) => {
  const { default: tar } = await import('tar-6.2.1')
  return tar.extract({ file: archive, cwd: dest })
})
