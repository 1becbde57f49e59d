// The npm package zip-lib with its defaults.
import { shim } from './shim.mjs'

await shim('zip-lib', async (archive, dest) => {
  const { extract } = await import('zip-lib')
  await extract(archive, dest)
})
