import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { VictimLayout } from '@landfall/contracts/layout'
import { skillDestination } from '@landfall/contracts/layout'

/** Puts a delivery in the inbox and makes the directories that a host expects. */

/** @returns the path of the file. Whatever stood there before is replaced, never written through. */
export function putInInbox(layout: VictimLayout, skill: string, format: string, bytes: Buffer): string {
  const path = `${layout.inbox}/${skill}.${format}`
  mkdirSync(layout.inbox, { recursive: true, mode: 0o700 })
  rmSync(path, { force: true, recursive: true })
  writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' })
  return path
}

/** Makes the skill's own directory, empty. @returns its path. */
export function emptyDestination(layout: VictimLayout, skill: string): string {
  const path = skillDestination(layout, skill)
  mkdirSync(layout.skills, { recursive: true })
  emptyDirectory(path)
  return path
}

/** Makes the scratch directory next to the skill's own, empty. @returns its path. */
export function emptyStage(layout: VictimLayout, skill: string): string {
  const path = `${layout.skills}/.stage-${skill}`
  emptyDirectory(path)
  return path
}

function emptyDirectory(path: string): void {
  rmSync(path, { force: true, recursive: true })
  mkdirSync(path)
  chmodSync(path, 0o755)
}
