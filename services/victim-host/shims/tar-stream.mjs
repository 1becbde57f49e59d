// The npm package tar-stream, which only parses, with the loop that many people write around it.
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('tar-stream', async (archive, dest) => {
  const { default: tarStream } = await import('tar-stream')
  const extract = tarStream.extract()
  const unpacked = pipeline(createReadStream(archive), createGunzip(), extract)
  for await (const entry of extract) {
    const { name, type, mode, linkname: target } = entry.header
    await joinAndWrite(dest, { name, type, mode, target, bytes: await buffer(entry) })
  }
  await unpacked
})
