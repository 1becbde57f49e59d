import { canonicalBytes } from './canonical.ts'
import { bundleSchema, limits } from './limits.ts'
import type { BundleManifest, Sha256 } from './manifest.ts'
import { refusal, refusals } from './refusals.ts'
import { checkRows, fieldsOf, sha256Pattern } from './rows.ts'

/**
 * Parses a manifest that somebody hands us, and recomputes everything it states of itself.
 *
 * @throws LandfallError: every `manifest-...` and `row-...` refusal, those of paths and of limits.
 */
export async function parseManifest(bytes: Uint8Array, sha256: Sha256): Promise<BundleManifest> {
  return await checkManifest(jsonOf(bytes), sha256)
}

/** The same for a value that has been parsed already. */
export async function checkManifest(value: unknown, sha256: Sha256): Promise<BundleManifest> {
  const fields = fieldsOf(value, ['schema', 'sha256', 'total_bytes', 'files'])
  if (fields === undefined) throw malformed('it is not an object with schema, sha256, total_bytes and files')
  const { schema, sha256: stated, total_bytes: statedBytes, files } = fields
  if (schema !== bundleSchema) {
    throw refusal(refusals.manifestSchema, `The manifest is not of the schema ${bundleSchema}`)
  }
  if (typeof stated !== 'string' || !sha256Pattern.test(stated)) {
    throw malformed('its sha256 is not 64 lowercase hex digits')
  }
  if (typeof statedBytes !== 'number') throw malformed('its total_bytes is not a number')
  if (!Array.isArray(files)) throw malformed('its files are not a list')

  const { rows, totalBytes } = checkRows(files)
  if (statedBytes !== totalBytes) {
    throw refusal(refusals.manifestTotal, `The manifest's total_bytes is not the sum of its rows, ${totalBytes}`)
  }
  const actual = await sha256(canonicalBytes(rows))
  if (stated !== actual) {
    throw refusal(refusals.manifestDigest, `The manifest's sha256 is not that of its rows, ${actual}`, { actual })
  }
  return { schema: bundleSchema, sha256: actual, total_bytes: totalBytes, files: rows }
}

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.length > limits.manifestBytes) {
    throw refusal(refusals.manifestSize, 'The manifest has more than 1 MiB', { bytes: bytes.length })
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refusal(refusals.manifestEncoding, 'The manifest is not UTF-8', {}, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The engine's own words would repeat a piece of the file.
    throw refusal(refusals.manifestJson, 'The manifest is not JSON', {}, { cause })
  }
}

function malformed(why: string): Error {
  return refusal(refusals.manifestFields, `The manifest has not the fields it must have: ${why}`)
}
