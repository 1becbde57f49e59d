// The npm package modern-tar with its defaults.
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { shim } from './shim.mjs'

await shim('modern-tar', async (archive, dest) => {
  const { unpackTar } = await import('modern-tar/fs')
  await pipeline(createReadStream(archive), createGunzip(), unpackTar(dest))
})
