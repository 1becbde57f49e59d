/**
 * Sees to it that the image which the lab's Dockerfiles start from is there: local, else pulled, else (only for the
 * name below) a stand-in made from Debian packages, for machines that reach no image registry.
 */
import { LandfallError } from '@landfall/contracts'
import { localImage, type LocalImage } from './docker-images.ts'
import { exec } from './exec.ts'
import { seconds, type Say } from './say.ts'
import { buildStandIn, standInLabel } from './stand-in.ts'

export const defaultBaseImage = 'node:24-trixie-slim'

export interface BaseImage {
  readonly name: string
  readonly id: string
  readonly origin: 'local' | 'stand-in'
}

export async function findBaseImage(name: string): Promise<BaseImage | undefined> {
  const image = await localImage(name)
  return image && describe(name, image)
}

/** The caller holds the machine's set-up lock. @throws LandfallError `machine` when there is no way to it. */
export async function bringBaseImage(name: string, root: string, say: Say): Promise<BaseImage> {
  const found = await findBaseImage(name)
  if (found) return found
  say(`pulling the base image ${name}`)
  const began = Date.now()
  const pull = await exec('docker', ['pull', '--quiet', name], { timeoutMs: 15 * 60_000 })
  if (pull.ok) {
    say(`pulled ${name} in ${seconds(Date.now() - began)}`)
  } else if (name === defaultBaseImage) {
    say(`${name} cannot be pulled (${firstCause(pull.why)}); making a stand-in from Debian packages`)
    await buildStandIn(name, root, say)
    say(`made the stand-in ${name} in ${seconds(Date.now() - began)}`)
  } else {
    const message = `the base image ${name} is not here and cannot be pulled: ${pull.why}`
    throw new LandfallError('machine', `${message}. Load it (docker load), or unset LANDFALL_NODE_IMAGE.`)
  }
  const image = await localImage(name)
  if (!image) throw new LandfallError('machine', `the base image ${name} was brought but the engine does not list it`)
  return describe(name, image)
}

function describe(name: string, image: LocalImage): BaseImage {
  return { name, id: image.id, origin: image.labels[standInLabel] === undefined ? 'local' : 'stand-in' }
}

/** The end of a chain of causes such as `Get ...: dial tcp: lookup ...: no such host`. */
function firstCause(why: string): string {
  return why.split(': ').at(-1) ?? why
}
