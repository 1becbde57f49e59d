import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BundleManifest } from '@landfall/bundle'
import { readBundle } from '@landfall/bundle'

/** The page's example: a skill as it was reviewed and as it is now, of which one script alone has changed. */
const reviewed: Readonly<Record<string, string>> = {
  'SKILL.md': '---\nname: line-count\ndescription: Counts the lines of a file.\n---\n\nRun `scripts/count.sh FILE`.\n',
  'references/usage.md': '# Usage\n\nOne file at a time.\n',
  'scripts/count.sh': '#!/bin/sh\nwc -l "$1"\n',
}
const now = { ...reviewed, 'scripts/count.sh': '#!/bin/sh\nwc -l "$1"\necho "this line was not reviewed"\n' }

export interface Example {
  readonly reviewed: BundleManifest
  readonly now: BundleManifest
}

/** Written to a disk and read by the reader that `landfall bundle` uses. */
export async function makeExample(): Promise<Example> {
  return { reviewed: await manifestOf(reviewed), now: await manifestOf(now) }
}

async function manifestOf(files: Readonly<Record<string, string>>): Promise<BundleManifest> {
  const root = mkdtempSync(join(tmpdir(), 'landfall-example-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    }
    return (await readBundle(root)).manifest
  } finally {
    rmSync(root, { recursive: true })
  }
}
