// The npm package jszip, which only parses, with the loop that many people write around it.
import { readFile } from 'node:fs/promises'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('jszip', async (archive, dest) => {
  const { default: JSZip } = await import('jszip')
  const zip = await JSZip.loadAsync(await readFile(archive))
  for (const [name, entry] of Object.entries(zip.files)) {
    await joinAndWrite(dest, { name, bytes: entry.dir ? undefined : await entry.async('nodebuffer') })
  }
})
