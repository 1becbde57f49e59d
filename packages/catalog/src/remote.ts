import { deriveToken, type SinkholeAnswer } from '@landfall/contracts'
import type { FixtureRow } from './fixture.ts'

/** What an address that a payload names answers, when the sinkhole is asked in its place. */
export interface RemoteAnswer {
  readonly host: string
  /** `{{canary:<site>}}` stands for the token of that site, here and in the body, as in the files of the corpus. */
  readonly path: string
  readonly contentType: string
  readonly body: string
}

const placeholder = /\{\{canary:([a-z0-9-]+)\}\}/g

/** `text` with each placeholder replaced by that site's token in the trial that holds `canary`. */
export function stampTokens(text: string, fixture: string, canary: string): string {
  return text.replaceAll(placeholder, (_, site: string) => deriveToken(canary, fixture, site))
}

/** The answers of a row in the trial that holds `canary`, to be registered with the sinkhole. Empty for most rows. */
export function remoteAnswers(row: FixtureRow, canary: string): SinkholeAnswer[] {
  const stamp = (text: string) => stampTokens(text, row.id, canary)
  return (row.remote ?? []).map(({ host, path, contentType, body }) => ({
    host,
    path: stamp(path),
    status: 200,
    contentType,
    body: stamp(body),
  }))
}
