// The maintained fork of decompress with its defaults.
import { shim } from './shim.mjs'

await shim('@xhmikosr/decompress', async (archive, dest) => {
  const { default: decompress } = await import('@xhmikosr/decompress')
  await decompress(archive, dest)
})
