// The npm package @zip.js/zip.js, which only parses, with the loop that many people write around it.
import { readFile } from 'node:fs/promises'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('@zip.js/zip.js', async (archive, dest) => {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } = await import('@zip.js/zip.js')
  const zip = new ZipReader(new Uint8ArrayReader(await readFile(archive)), { useWebWorkers: false })
  for (const entry of await zip.getEntries()) {
    const bytes = entry.directory ? undefined : await entry.getData(new Uint8ArrayWriter())
    await joinAndWrite(dest, { name: entry.filename, bytes })
  }
})
