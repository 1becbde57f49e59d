// The npm package zip-lib, creating no links that lead outside.
import { shim } from './shim.mjs'

await shim('zip-lib', async (archive, dest) => {
  const { extract } = await import('zip-lib')
  await extract(archive, dest, { safeSymlinksOnly: true })
})
