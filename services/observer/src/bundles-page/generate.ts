import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { makeExample } from './example.ts'

/**
 * Makes the two files of the page `/bundles` that are made: its example, and one classic script of the page and
 * the core of packages/bundle. A browser loads no module from a `file:` URL, so modules as they are would not do.
 * The script is kept in the repository, so that nobody has to build anything; a test says when it is stale.
 */
export const exampleFile = fileURLToPath(new URL('./example.json', import.meta.url))
export const scriptFile = fileURLToPath(new URL('../page/bundles.js', import.meta.url))

const root = fileURLToPath(new URL('../../../../', import.meta.url))

export async function exampleText(): Promise<string> {
  return `${JSON.stringify(await makeExample(), null, 2)}\n`
}

/** Reads `example.json` as it is on the disk. */
export async function scriptText(): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      target: 'es2024',
      rolldownOptions: {
        input: fileURLToPath(new URL('./page.js', import.meta.url)),
        output: { format: 'iife', entryFileNames: 'bundles.js' },
      },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []))
  const chunk = outputs.find((output) => output.type === 'chunk')
  if (chunk === undefined || outputs.length !== 1) throw new Error('The page is not one script')
  return `// Made by \`npm run bundles-page\` of services/observer/src/bundles-page and packages/bundle/src/core.\n${chunk.code}`
}
