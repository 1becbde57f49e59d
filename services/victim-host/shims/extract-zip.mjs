// The npm package extract-zip with its defaults.
import { shim } from './shim.mjs'

await shim('extract-zip', async (archive, dest) => {
  const { default: extract } = await import('extract-zip')
  await extract(archive, { dir: dest })
})
