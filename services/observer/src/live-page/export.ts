import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { ObserverState, PageChange, PageEvent, TrialExport } from '@landfall/contracts'
import { trialExportFormat } from '@landfall/contracts'
import type { KeptTrial } from './page-state.ts'

/**
 * Writes one trial as one JSON file: {@link TrialExport}. Piece by piece, so that the content in it never stands in
 * memory all at once.
 */

export interface ExportParts {
  readonly kept: KeptTrial
  readonly observer: ObserverState['observer']
  readonly events: readonly PageEvent[]
  readonly exportedAt: Date
  /** Content by digest, or by path while it can still be read. Undefined when it is not kept. */
  readonly read: (change: PageChange) => Promise<Buffer | undefined>
}

/** Bytes of content in one export, and of one file in it. */
export const exportLimits = { bytes: 16 * 1024 * 1024, fileBytes: 4 * 1024 * 1024 }

export async function writeExport(response: ServerResponse, parts: ExportParts, limits = exportLimits): Promise<void> {
  const { kept, observer, events, exportedAt } = parts
  const view = kept.log.view()
  const head = {
    format: trialExportFormat,
    exportedAt: exportedAt.toISOString(),
    observer,
    ...view,
    events: [...events],
    ...(kept.observation === undefined ? {} : { observation: kept.observation }),
  } satisfies Omit<TrialExport, 'contents' | 'leftOut'>
  const write = async (text: string): Promise<void> => {
    // A reader that has left ends the waiting.
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  const name = `landfall-${view.trial.trial}.json`
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
  })
  await write(`${JSON.stringify(head).slice(0, -1)},"contents":[`)
  const leftOut: TrialExport['leftOut'] = []
  const written = new Set<string>()
  let left = limits.bytes
  for (const change of view.changes.rows) {
    if (response.destroyed) return
    if (change.type !== 'file' || change.kind === 'removed' || written.has(change.sha256 ?? '')) continue
    const { sha256, size, path } = change
    const why = reason(change, left, limits.fileBytes)
    const bytes = why === undefined ? await parts.read(change) : undefined
    if (sha256 === undefined || bytes === undefined) {
      leftOut.push({ path, size, why: why ?? 'it is not kept' })
      continue
    }
    left -= bytes.length
    const item = { sha256, size: bytes.length, base64: bytes.toString('base64') }
    await write(`${written.size === 0 ? '' : ','}${JSON.stringify(item)}`)
    written.add(sha256)
  }
  await write(`],"leftOut":${JSON.stringify(leftOut)}}\n`)
  response.end()
}

/** Why a file is not in the export, as far as that is known before it is read. */
function reason({ sha256, size }: PageChange, left: number, fileBytes: number): string | undefined {
  if (sha256 === undefined) return 'it was not read to its end'
  if (size > fileBytes) return `it is larger than ${fileBytes} bytes`
  if (size > left) return 'the export holds no more content than this'
  return undefined
}
