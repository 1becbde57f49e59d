// The npm package decompress with its defaults.
import { shim } from './shim.mjs'

await shim('decompress', async (archive, dest) => {
  const { default: decompress } = await import('decompress')
  await decompress(archive, dest)
})
