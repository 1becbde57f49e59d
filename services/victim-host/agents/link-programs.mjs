import { existsSync, readFileSync, symlinkSync } from 'node:fs'

/**
 * Run while the image is built: puts the programs of the packages that were asked for, and of no other, where every
 * user finds them. Packages beside those of the manifest are named as arguments.
 */
const folder = '/opt/agents'
const read = (path) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'))
const more = process.argv.slice(2).map((text) => text.slice(0, text.lastIndexOf('@')))
for (const name of [...Object.keys(read('package.json').dependencies), ...more]) {
  const { bin } = read(`node_modules/${name}/package.json`)
  const programs = typeof bin === 'string' ? [name.split('/').at(-1)] : Object.keys(bin ?? {})
  for (const program of programs) {
    const place = `/usr/local/bin/${program}`
    if (!existsSync(place)) symlinkSync(`${folder}/node_modules/.bin/${program}`, place)
  }
}
