/**
 * Seven things a victim may do that watchers are known to lose, as programs for its node. Each works below `base`,
 * which exists and is empty but for what `prepare` made, and nothing in them is chosen by chance.
 */
export interface Workload {
  readonly name: string
  /** Run before the observation begins. */
  readonly prepare?: string
  readonly run: string
  /** Paths below `base` that are there in the end and were not before. */
  readonly added: number
  /** Files that were there before and are different in the end. */
  readonly changed: number
  /** Names that appeared and still stand, whether or not something had that name before. */
  readonly standing: number
  /** Paths that came and went. */
  readonly transient: number
}

const fs = "const fs = require('fs');"

export const workloads: readonly Workload[] = [
  {
    name: '200 x mkdir -p a/b/c/d/e and a file in it',
    run: `for (let i = 0; i < 200; i++) { fs.mkdirSync(base + '/' + i + '/a/b/c/d/e', { recursive: true }); fs.writeFileSync(base + '/' + i + '/a/b/c/d/e/f', 'x') }`,
    added: 1400,
    changed: 0,
    standing: 1400,
    transient: 0,
  },
  {
    name: '500 x create and unlink',
    run: `for (let i = 0; i < 500; i++) { fs.writeFileSync(base + '/t' + i, 'x'); fs.unlinkSync(base + '/t' + i) }`,
    added: 0,
    changed: 0,
    standing: 0,
    transient: 500,
  },
  {
    name: '200 x mkdir, write, unlink, rmdir',
    run: `for (let i = 0; i < 200; i++) { const d = base + '/d' + i; fs.mkdirSync(d); fs.writeFileSync(d + '/f', 'x'); fs.unlinkSync(d + '/f'); fs.rmdirSync(d) }`,
    added: 0,
    changed: 0,
    standing: 0,
    transient: 400,
  },
  {
    name: 'a burst of 60,000 files',
    run: `for (let i = 0; i < 60000; i++) fs.closeSync(fs.openSync(base + '/b' + i, 'w'))`,
    added: 60000,
    changed: 0,
    standing: 60000,
    transient: 0,
  },
  {
    name: '1,000 x write a temporary file, rename over the target',
    prepare: `fs.writeFileSync(base + '/target', 'old'); fs.mkdirSync(base + '/dir'); for (let i = 0; i < 10; i++) fs.writeFileSync(base + '/t' + i, 'old')`,
    run: `for (let i = 0; i < 1000; i++) { const tmp = base + '/dir/tmp' + i; fs.writeFileSync(tmp, String(i)); fs.renameSync(tmp, base + '/t' + (i % 10)) }`,
    added: 0,
    changed: 10,
    standing: 10,
    transient: 0,
  },
  {
    name: '500 x swaps of hard and symbolic links',
    prepare: `fs.writeFileSync(base + '/one', '1'); fs.writeFileSync(base + '/two', '2')`,
    run: `for (let i = 0; i < 250; i++) { fs.symlinkSync(i % 2 ? 'one' : 'two', base + '/s.new'); fs.renameSync(base + '/s.new', base + '/s'); fs.linkSync(base + (i % 2 ? '/one' : '/two'), base + '/h' + i); fs.unlinkSync(base + '/h' + i) }`,
    added: 1,
    changed: 2,
    standing: 1,
    transient: 250,
  },
  {
    name: '3 x 2,000 appends, truncations and changes of mode',
    prepare: `for (let i = 0; i < 20; i++) fs.writeFileSync(base + '/f' + i, 'old')`,
    run: `for (let i = 0; i < 2000; i++) { const f = base + '/f' + (i % 20); fs.appendFileSync(f, 'x'); fs.truncateSync(f, i % 7); fs.chmodSync(f, i % 2 ? 0o600 : 0o644) }`,
    added: 0,
    changed: 20,
    standing: 0,
    transient: 0,
  },
]

/** As a program for `node -e`. */
export function program(base: string, body: string): string {
  return `${fs} const base = ${JSON.stringify(base)}; ${body}`
}
