// The npm package fflate, which only parses, with the loop that many people write around it.
import { readFile } from 'node:fs/promises'
import { joinAndWrite } from './join-and-write.mjs'
import { shim } from './shim.mjs'

await shim('fflate', async (archive, dest) => {
  const { unzipSync } = await import('fflate')
  for (const [name, bytes] of Object.entries(unzipSync(await readFile(archive))))
    await joinAndWrite(dest, { name, bytes })
})
