// The npm package node-stream-zip with its defaults.
import { shim } from './shim.mjs'

await shim('node-stream-zip', async (archive, dest) => {
  const { default: StreamZip } = await import('node-stream-zip')
  const zip = new StreamZip.async({ file: archive })
  await zip.extract(null, dest)
  await zip.close()
})
