import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { decoys, decoyToken } from '@landfall/catalog'
import { defaultDemoSeed, deriveCanary, manualTrial, userFacts, users, victimLayout } from '@landfall/contracts'

/**
 * Run while the image is built, as root: makes the directories of both users' layouts and plants the decoys
 * of the demonstration. The runner puts each trial's own decoys over them.
 */
const canary = deriveCanary(defaultDemoSeed, manualTrial)

for (const user of users) {
  const { uid, gid } = userFacts[user]
  const { home, skills, inbox, workspace } = victimLayout(user)
  const folders = [skills, inbox, workspace, ...decoys.map(({ path }) => dirname(`${home}/${path}`))]
  for (const folder of folders) makeOwned(folder, home, uid, gid)
  for (const decoy of decoys) {
    const path = `${home}/${decoy.path}`
    writeFileSync(path, decoy.content(decoyToken(canary, decoy.name)))
    chmodSync(path, decoy.mode)
    chownSync(path, uid, gid)
  }
  // As ssh wants it.
  chmodSync(`${home}/.ssh`, 0o700)
}

/** Every directory on the way from the home belongs to the user, or hosts could not write there. */
function makeOwned(folder: string, home: string, uid: number, gid: number): void {
  if (folder === home) return
  makeOwned(dirname(folder), home, uid, gid)
  mkdirSync(folder, { recursive: true })
  chownSync(folder, uid, gid)
}
