import {
  checkSkillMarkdown,
  limits,
  makeManifest,
  parseManifest,
  quotePath,
  refusal,
  refusals,
  skillMarkdown,
  Tally,
} from '@landfall/bundle/core'

/** Files and folders of the browser into manifests. All rules are those of the core, which Node runs too. */

export async function sha256(bytes) {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error('The browser hashes only on this machine, over HTTPS or from a file')
  return hexOf(await crypto.subtle.digest('SHA-256', bytes))
}

/** One byte over the limit is enough to refuse, however long the file is. */
export async function readManifest(file, signal) {
  const bytes = new Uint8Array(await contentOf(file.slice(0, limits.manifestBytes + 1), file.name))
  signal.throwIfAborted()
  return await parseManifest(bytes, sha256)
}

/** `entries` gives `{ path, file }` for each file and `{ path }` for each folder, in whatever order. */
export async function readFolder(entries, signal, progress) {
  const tally = new Tally()
  const files = []
  for await (const { path, file } of entries) {
    signal.throwIfAborted()
    tally.visit(path)
    if (file === undefined) continue
    tally.file(path, file.size)
    files.push({ path, file })
  }
  tally.end()
  const rows = []
  for (const { path, file } of files) {
    progress(rows.length, files.length)
    const bytes = new Uint8Array(await contentOf(file, path))
    signal.throwIfAborted()
    if (bytes.length !== file.size) throw refusal(refusals.changed, `Changed during inspection: ${quotePath(path)}`)
    if (path === skillMarkdown) checkSkillMarkdown(bytes)
    rows.push({ path, bytes: bytes.length, sha256: await sha256(bytes) })
  }
  signal.throwIfAborted()
  return await makeManifest(rows, sha256)
}

/** Of a chosen folder: the browser gives files alone, so folders are what their paths say. */
export function* chosenEntries(list) {
  const folders = new Set()
  for (const file of list) {
    const segments = file.webkitRelativePath.split('/').slice(1)
    for (let depth = 1; depth < segments.length; depth += 1) {
      const path = segments.slice(0, depth).join('/')
      if (!folders.has(path)) yield { path }
      folders.add(path)
    }
    yield { path: segments.join('/'), file }
  }
}

/** Of a dropped folder. */
export async function* droppedEntries(directory, above = '') {
  const reader = directory.createReader()
  for (;;) {
    // It gives a hundred at a time, and none at the end.
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
    if (batch.length === 0) return
    for (const entry of batch) {
      const path = `${above}${entry.name}`
      if (entry.isDirectory) {
        yield { path }
        yield* droppedEntries(entry, `${path}/`)
      } else {
        yield { path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) }
      }
    }
  }
}

/** The same by handles: a page that was opened as a file gets no entries of a dropped folder in Chromium. */
export async function* handleEntries(handle, above = '') {
  for await (const [name, child] of (await handle).entries()) {
    const path = `${above}${name}`
    if (child.kind === 'directory') {
      yield { path }
      yield* handleEntries(child, `${path}/`)
    } else {
      yield { path, file: await child.getFile() }
    }
  }
}

async function contentOf(blob, path) {
  try {
    return await blob.arrayBuffer()
  } catch (cause) {
    throw refusal(
      refusals.unreadable,
      `Not readable, or changed since it was chosen: ${quotePath(path)}`,
      {},
      { cause },
    )
  }
}

function hexOf(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
