// The npm package adm-zip as it was in 0.6.0.
import { shim } from './shim.mjs'

await shim('adm-zip-0.6.0', async (archive, dest) => {
  const { default: AdmZip } = await import('adm-zip-0.6.0')
  new AdmZip(archive).extractAllTo(dest, true)
})
