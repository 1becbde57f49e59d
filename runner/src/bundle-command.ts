import { fstatSync } from 'node:fs'
import type { FileId } from '@landfall/bundle'
import { compareManifests, readBundle, readManifestFile } from '@landfall/bundle'
import { errorJson } from './bundle-error.ts'
import { comparisonJson, comparisonText, errorText, manifestJson, manifestText } from './bundle-report.ts'

/**
 * `landfall bundle`: the identity of a skill directory, or how it differs from the one that was reviewed.
 *
 * Needs no engine. Its exit codes are those of the format's own command (section 6 of the fact sheet): 0 for a
 * manifest and for a match, 1 for a difference, 2 for whatever kept it from knowing, so that neither success
 * nor a difference can be taken for an error.
 */
export interface BundleFlags {
  readonly json?: boolean
  /** File with the manifest to hold the directory against. */
  readonly against?: string
}

export interface BundleOutput {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** The file that `out` goes to, when it goes to one. */
  readonly target?: FileId
}

export const bundleExits = { matches: 0, differs: 1, failed: 2 } as const

export async function bundleCommand(
  directory: string,
  { json = false, against }: BundleFlags,
  output: BundleOutput = processOutput(),
): Promise<number> {
  const { out, err, target } = output
  const outside = target === undefined ? [] : [target]
  try {
    if (against === undefined) {
      const { manifest, root } = await readBundle(directory, { outside })
      out(json ? manifestJson(manifest) : manifestText(manifest, root))
      return bundleExits.matches
    }
    const expected = await readManifestFile(against, directory)
    const { manifest } = await readBundle(directory, { outside: [...outside, expected.id] })
    const difference = compareManifests(expected.manifest, manifest)
    const report = json ? comparisonJson : comparisonText
    out(report(expected.manifest, manifest, difference))
    return difference.matches ? bundleExits.matches : bundleExits.differs
  } catch (error) {
    if (json) out(errorJson(error))
    else err(errorText(error))
    return bundleExits.failed
  }
}

function processOutput(): BundleOutput {
  // A reader that has left must not turn the exit code into the one for a difference.
  process.stdout.once('error', () => process.exit(bundleExits.failed))
  const target = fileOf(process.stdout.fd)
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    ...(target === undefined ? {} : { target }),
  }
}

/** A shell makes the file of a redirection before the command runs, perhaps inside the very directory. */
function fileOf(descriptor: number): FileId | undefined {
  try {
    const stats = fstatSync(descriptor, { bigint: true })
    return stats.isFile() ? { dev: stats.dev, ino: stats.ino } : undefined
  } catch {
    // Nothing there to write to is for the writing to find out.
    return undefined
  }
}
