// The npm package tar-fs with its defaults.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { shim } from './shim.mjs'

await shim('tar-fs', async (archive, dest) => {
  const { default: tarFs } = await import('tar-fs')
  await pipeline(createReadStream(archive), createGunzip(), tarFs.extract(dest))
})
