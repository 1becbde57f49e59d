/**
 * One lock file for one piece of work on this machine, held by a process and taken over when that process is gone.
 *
 * Plain JavaScript, because `scripts/start.mjs` needs it before any dependency or a newer Node is there.
 */
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process id alone can be handed out again; with its start time it names one process. */
function processStamp(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive(holder) {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') return false
  }
  return holder.stamp === '' || processStamp(holder.pid) === holder.stamp
}

function describeHolder(pid) {
  return `${pid} ${processStamp(pid)}\n`
}

function parseHolder(text) {
  const [pid, stamp = ''] = text.trim().split(' ')
  return { pid: Number(pid), stamp }
}

async function readIfThere(path) {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

async function linkIfFree(from, to) {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

async function removeStale(path, seen, aside) {
  try {
    await rename(path, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  // Between reading and renaming, somebody else may have taken over: then what we moved away is theirs.
  if ((await readIfThere(aside)) !== seen) await linkIfFree(aside, path)
  await rm(aside, { force: true })
}

export async function withLock(path, work, { onWait = () => {}, pollMs = 250 } = {}) {
  await mkdir(dirname(path), { recursive: true })
  const unique = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await writeFile(unique, describeHolder(process.pid))
  try {
    let told = false
    while (!(await linkIfFree(unique, path))) {
      const seen = await readIfThere(path)
      if (seen === undefined) continue
      const holder = parseHolder(seen)
      if (!isAlive(holder)) {
        await removeStale(path, seen, `${unique}.stale`)
        continue
      }
      if (!told) onWait(holder.pid)
      told = true
      await sleep(pollMs)
    }
  } finally {
    await rm(unique, { force: true })
  }
  try {
    return await work({
      async handTo(pid) {
        await writeFile(unique, describeHolder(pid))
        await rename(unique, path)
      },
    })
  } finally {
    await rm(path, { force: true })
  }
}
