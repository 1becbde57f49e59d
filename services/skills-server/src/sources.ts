import { LandfallError } from '@landfall/contracts'
import type { Logger } from 'pino'
import type { FixtureBuilder } from './catalogue/served.ts'
import type { Config } from './config.ts'
import { corpusBuilders, loadCorpus, ownCorpus } from './corpus/index.ts'
import type { Builders } from './fixtures/index.ts'
import { loadBuilders } from './fixtures/index.ts'

/** Where skills come from, before it is decided which of them are served. */
export interface Sources {
  /** Fixtures, by id. */
  readonly fixtures: Builders
  /** Skills that are served honestly and together, by their folder below the root. */
  readonly corpus: Builders
  /** The same skills, each as it is served alone. */
  readonly single: Builders
}

/**
 * Reads the corpus, once, and says in the log what of it cannot be served.
 *
 * @throws LandfallError `usage` when its root cannot be read.
 */
export async function loadSources({ skillsRoot = ownCorpus, revisions }: Config, log: Logger): Promise<Sources> {
  const [fixtures, tree] = await Promise.all([loadBuilders(), loadCorpus(skillsRoot, log)])
  return {
    fixtures,
    // In somebody else's tree names that are there twice are theirs to know about (H9), so both are listed.
    corpus: corpusBuilders(tree, { archives: revisions.includes('index'), uniqueNames: skillsRoot === ownCorpus }),
    single: corpusBuilders(tree, { archives: true }),
  }
}

/**
 * What is served to everybody: the corpus before the fixtures, so that what a client sees first is honest.
 *
 * @throws LandfallError `usage` for a name in `only` that no source knows.
 */
export function chosenBuilders(sources: Sources, { profile, only }: Pick<Config, 'profile' | 'only'>): Builders {
  if (only !== undefined) return new Map(only.map((id) => [id, named(id, singleBuilders(sources))]))
  const { fixtures, corpus } = sources
  return new Map([...(profile === 'adversarial' ? [] : corpus), ...(profile === 'corpus' ? [] : fixtures)])
}

/** Everything that can be served alone: what a trial can be about. */
export function singleBuilders({ fixtures, single }: Sources): Builders {
  return new Map([...single, ...fixtures])
}

function named(id: string, builders: Builders): FixtureBuilder {
  const build = builders.get(id)
  if (build === undefined) throw new LandfallError('usage', `No such fixture: ${id}`, { kind: 'fixture', name: id })
  return build
}
