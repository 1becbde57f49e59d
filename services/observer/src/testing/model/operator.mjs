// Runs inside a victim as its only process: does what a line of JSON on standard input says, and answers a line.
// Plain JavaScript, handed over as an argument, so that a victim's image need not contain it.
import fs from 'node:fs'
import { createInterface } from 'node:readline'
import koffi from 'koffi'

const libc = koffi.load(null)
const setxattr = libc.func(
  'int lsetxattr(const uint8_t *p, const uint8_t *n, const uint8_t *v, size_t size, int flags)',
)
const removexattr = libc.func('int lremovexattr(const uint8_t *p, const uint8_t *n)')
const mkfifo = libc.func('int mkfifo(const uint8_t *p, uint32_t mode)')
process.umask(0)

const bytes = (text) => Buffer.from(text, 'latin1')
const named = (text) => bytes(`${text}\0`)
const check = (answer) => {
  if (answer < 0) throw new Error(`errno ${koffi.errno()}`)
}

const acts = {
  create: ({ path, fill }) => fs.writeFileSync(path, Buffer.alloc(fill[1], fill[0]), { flag: 'wx', mode: 0o644 }),
  mkdir: ({ path }) => fs.mkdirSync(path, 0o755),
  write: ({ path, fill }) => fs.writeFileSync(path, Buffer.alloc(fill[1], fill[0])),
  overwrite: ({ path, fill }) => {
    const fd = fs.openSync(path, fs.constants.O_WRONLY)
    fs.writeSync(fd, Buffer.alloc(fill[1], fill[0]), 0, fill[1], 0)
    fs.closeSync(fd)
  },
  truncate: ({ path, number }) => fs.truncateSync(path, number),
  rename: ({ path, to }) => fs.renameSync(path, to),
  link: ({ path, to }) => fs.linkSync(path, to),
  symlink: ({ path, text }) => fs.symlinkSync(bytes(text), path),
  swap: ({ path, text, raw }) => {
    const beside = bytes(`${raw.slice(0, raw.lastIndexOf('/'))}/swap`)
    fs.symlinkSync(bytes(text), beside)
    fs.renameSync(beside, path)
  },
  chmod: ({ path, number }) => fs.chmodSync(path, number),
  chown: ({ path, number }) => fs.lchownSync(path, process.getuid(), number),
  setxattr: ({ raw, text, fill }) => {
    check(setxattr(named(raw), named(text), Buffer.alloc(fill[1], fill[0]), fill[1], 0))
  },
  removexattr: ({ raw, text }) => check(removexattr(named(raw), named(text))),
  unlink: ({ path }) => fs.unlinkSync(path),
  rmdir: ({ path }) => fs.rmdirSync(path),
  mkfifo: ({ raw }) => check(mkfifo(named(raw), 0o600)),
  utimes: ({ path }) => fs.utimesSync(path, 1_000_000_000, 1_000_000_000),
  wipe: ({ path }) => fs.rmSync(path, { recursive: true, force: true }),
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const failed = []
  for (const operation of JSON.parse(line)) {
    try {
      const raw = operation.path
      acts[operation.op]({ ...operation, raw, path: bytes(raw), ...(operation.to && { to: bytes(operation.to) }) })
    } catch (error) {
      failed.push(`${JSON.stringify(operation)}: ${error.message}`)
    }
  }
  process.stdout.write(`${JSON.stringify(failed)}\n`)
}
