import { join } from 'node:path'
import type { Logger } from 'pino'
import type { LoadedTree } from './load.ts'
import { loadTree } from './load.ts'

export { corpusBuilders } from './builders.ts'
export type { CorpusOptions } from './builders.ts'
export type { LoadedTree } from './load.ts'

/** Our own twelve skills, at the top of the repository. */
export const ownCorpus = join(import.meta.dirname, '../../../../corpus')

/** How many notices are told one by one. A tree of thousands of links should not fill the log. */
const maxTold = 100

/**
 * Loads the skills below `root` and tells the log what was left out.
 *
 * @throws LandfallError `usage` when the root cannot be read.
 */
export async function loadCorpus(root: string, log: Logger): Promise<LoadedTree> {
  const tree = await loadTree(root)
  for (const notice of tree.notices.slice(0, maxTold)) log.warn({ ...notice }, 'left out of the skills')
  const untold = tree.notices.length - maxTold
  if (untold > 0) log.warn({ untold }, 'more was left out of the skills')
  if (tree.skills.length === 0) log.warn({ root }, 'no skills found')
  return tree
}
