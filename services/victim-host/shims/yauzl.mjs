// The npm package yauzl, which only parses but checks names, with the loop that many people write around it.
import { buffer } from 'node:stream/consumers'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('yauzl', async (archive, dest) => {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName
    const bytes = name.endsWith('/') ? undefined : await buffer(await zip.openReadStreamPromise(entry))
    await joinAndWrite(dest, { name, bytes })
  }
})
