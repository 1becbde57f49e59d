/** Runs `npm ci` so that neither a signal nor the death of this process leaves two of them in one folder. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** @throws with an explanation; its `exitCode` is set when a signal ended it. */
export async function npmCi(root, held) {
  // The lock file fixes every byte, so what the cache holds need not be asked for again.
  const args = ['ci', '--prefer-offline', '--loglevel=error', '--no-audit', '--no-fund']
  // A machine without a network should hear so within seconds, not minutes.
  args.push('--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000')
  // Under `npm run`, this is the very npm that was called; npm may not be in PATH at all.
  const cli = process.env.npm_execpath
  const [file, ...first] = cli?.endsWith('npm-cli.js') ? [process.execPath, cli] : ['npm']
  // A group of its own, so that the programs that npm starts end with it.
  const child = spawn(file, [...first, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let stoppedBy
  const stop = (signal) => {
    stoppedBy = signal
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  for (const signal of signals) process.on(signal, stop)
  try {
    const end = outcome(child)
    if (child.pid !== undefined) await held.handTo(child.pid)
    const { code, output } = await end
    if (stoppedBy !== undefined) throw interrupted(stoppedBy)
    if (code !== 0) throw new Error(explain(output, code))
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

function outcome(child) {
  return new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    child.on('error', (error) =>
      reject(new Error(error.code === 'ENOENT' ? 'npm is missing: install the npm of your Node.' : error.message)),
    )
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

function interrupted(signal) {
  return Object.assign(new Error('npm ci was stopped; the next start does it again'), {
    exitCode: 128 + constants.signals[signal],
  })
}

function explain(output, code) {
  const end = output.trim().split('\n').slice(-12).join('\n  ')
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET/.test(output)
  const cause = offline
    ? 'the npm registry cannot be reached (no network, or a proxy that npm does not know)'
    : `npm ci failed (${code})`
  return `${cause}:\n  ${end}`
}
