import { evidencePath, LandfallError, parseAs, Sha256 } from '@landfall/contracts'
import type { Express, Request, Response } from 'express'
import type { EvidenceStore } from './store.ts'

/** Serves kept content as what it is: hostile bytes that no browser may take for anything else. */
export function evidenceRoute(app: Express, store: EvidenceStore): void {
  app.get(evidencePath(':sha256'), async (request: Request, response: Response) => {
    const sha256 = parseAs(Sha256, request.params['sha256'], 'The digest of the content')
    const bytes = await store.find(sha256)
    if (bytes === undefined) {
      const detail = { kind: 'evidence', name: sha256 }
      throw new LandfallError('unknown', `No content with the digest ${sha256} is kept, or no longer`, detail)
    }
    response.set({
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${sha256}.bin"`,
    })
    response.end(bytes)
  })
}
