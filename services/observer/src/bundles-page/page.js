import { checkManifest, refusalOf } from '@landfall/bundle/core'
import example from './example.json'
import { chosenEntries, droppedEntries, handleEntries, readFolder, readManifest, sha256 } from './reading.js'
import { showDifference, showManifest, showProgress, showRefusal } from './view.js'

/**
 * Two sides and what differs between them. A side that is given something new, or something that cannot be used,
 * loses what it had, and the result with it: what is shown always belongs to what was given last.
 */
class Side {
  manifest
  #status
  #reading = new AbortController()
  #inputs
  #changed

  constructor(section, changed) {
    this.#status = section.querySelector('.status')
    this.#changed = changed
    const manifest = section.querySelector('.manifest')
    const folder = section.querySelector('.folder')
    this.#inputs = [manifest, folder]
    manifest.addEventListener('change', () => {
      const [file] = manifest.files
      if (file !== undefined) this.#takeFile(file, manifest)
    })
    folder.addEventListener('change', () => {
      if (folder.files.length > 0) this.#takeFolder(chosenEntries([...folder.files]), folder)
    })
    this.#listenForDrops(section)
  }

  take(read, input) {
    this.clear(input)
    const { signal } = this.#reading
    showProgress(this.#status, 'Reading')
    read(signal).then(
      (manifest) => this.#settle(signal, () => this.#show(manifest)),
      (error) => this.#settle(signal, () => showRefusal(this.#status, reasonOf(error))),
    )
  }

  /** `kept` is the input that what follows comes from; it goes on showing the name. */
  clear(kept) {
    this.#reading.abort()
    this.#reading = new AbortController()
    this.manifest = undefined
    this.#status.replaceChildren()
    for (const input of this.#inputs) if (input !== kept) input.value = ''
    this.#changed()
  }

  #takeFile(file, input) {
    this.take((signal) => readManifest(file, signal), input)
  }

  #takeFolder(entries, input) {
    this.take((signal) => {
      const progress = (done, all) => {
        if (!signal.aborted) showProgress(this.#status, `Reading ${done} of ${all} files`)
      }
      return readFolder(entries, signal, progress)
    }, input)
  }

  #settle(signal, show) {
    if (signal.aborted) return
    show()
    this.#changed()
  }

  #show(manifest) {
    this.manifest = manifest
    showManifest(this.#status, manifest)
  }

  #listenForDrops(section) {
    const over = (on) => section.classList.toggle('over', on)
    section.addEventListener('dragover', (event) => {
      event.preventDefault()
      over(true)
    })
    section.addEventListener('dragleave', () => over(false))
    section.addEventListener('drop', (event) => {
      event.preventDefault()
      over(false)
      // Entries and handles have to be asked for before the event is over.
      const [item, ...more] = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
      const entry = item?.webkitGetAsEntry()
      const file = item?.getAsFile()
      const handle = location.protocol === 'file:' ? item?.getAsFileSystemHandle?.() : undefined
      if (item === undefined) return
      if (more.length > 0) this.take(() => Promise.reject(new Error('One manifest or one folder at a time')))
      else if (entry?.isDirectory === true)
        this.#takeFolder(handle === undefined ? droppedEntries(entry) : handleEntries(handle))
      else this.#takeFile(file)
    })
  }
}

function reasonOf(error) {
  const word = refusalOf(error)
  return word === undefined ? error.message : `${error.message} (${word})`
}

const byId = (id) => document.getElementById(id)
const showResult = () => showDifference(byId('result'), reviewed.manifest, now.manifest)
const reviewed = new Side(byId('reviewed'), showResult)
const now = new Side(byId('now'), showResult)

byId('example').addEventListener('click', () => {
  reviewed.take(() => checkManifest(example.reviewed, sha256))
  now.take(() => checkManifest(example.now, sha256))
})
byId('reset').addEventListener('click', () => {
  reviewed.clear()
  now.clear()
})
// A file that misses its place must not replace the page.
for (const name of ['dragover', 'drop']) document.addEventListener(name, (event) => event.preventDefault())
showResult()
