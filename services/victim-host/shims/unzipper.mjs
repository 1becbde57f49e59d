// The npm package unzipper, from a stream, as most of its examples have it.
import { createReadStream } from 'node:fs'
import { shim } from './shim.mjs'

await shim('unzipper', async (archive, dest) => {
  const { default: unzipper } = await import('unzipper')
  // Its stream closes before it has ended, which `pipeline` takes for a failure.
  await createReadStream(archive)
    .pipe(unzipper.Extract({ path: dest }))
    .promise()
})
