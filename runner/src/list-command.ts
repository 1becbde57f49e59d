import { corpusSkills, fixtures } from '@landfall/catalog'
import { loadProfiles } from './profiles.ts'

/** `landfall list`: what there is to choose from. */
export async function listCommand(hostsDir: string | undefined): Promise<string> {
  const profiles = await loadProfiles(hostsDir)
  const width = Math.max(...[...fixtures, ...corpusSkills, ...profiles].map(({ id }) => id.length)) + 2
  const lines = (title: string, rows: readonly { id: string; title: string }[]) =>
    [title, ...rows.map(({ id, title: text }) => `  ${id.padEnd(width)}${text}`)].join('\n')
  return [
    lines('Fixtures', fixtures),
    lines('Corpus: skills that are served honestly, and used by the scripted agent', corpusSkills),
    `${lines('Hosts', profiles)}\n`,
  ].join('\n\n')
}
