// The npm package yauzl without its check of names, as those use it who meet names in another encoding.
import { buffer } from 'node:stream/consumers'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('yauzl', async (archive, dest) => {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive, { decodeStrings: false })
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString()
    const bytes = name.endsWith('/') ? undefined : await buffer(await zip.openReadStreamPromise(entry))
    await joinAndWrite(dest, { name, bytes })
  }
})
