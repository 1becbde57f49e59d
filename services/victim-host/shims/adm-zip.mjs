// The npm package adm-zip with its defaults, and with permission to overwrite.
import { shim } from './shim.mjs'

await shim('adm-zip', async (archive, dest) => {
  const { default: AdmZip } = await import('adm-zip')
  new AdmZip(archive).extractAllTo(dest, true)
})
