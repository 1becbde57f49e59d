import type { UserName } from './users.ts'
import { userFacts } from './users.ts'

/**
 * Where things are inside a victim. The victim puts them there, the runner and the observer look there.
 */
export interface VictimLayout {
  readonly home: string
  /** Holds one directory per installed skill: `<skills>/<name>`, three levels below the home. */
  readonly skills: string
  /** Where the fetcher puts what it brought over MCP, before the host sees it. */
  readonly inbox: string
  /** The project a person would be working in. */
  readonly workspace: string
}

export function victimLayout(user: UserName): VictimLayout {
  const { home } = userFacts[user]
  return {
    home,
    skills: `${home}/.agents/skills`,
    inbox: `${home}/.landfall/inbox`,
    workspace: `${home}/workspace`,
  }
}

/** The directory that belongs to the skill of this name, and the only place where its files may end up. */
export function skillDestination(layout: VictimLayout, skill: string): string {
  return `${layout.skills}/${skill}`
}

/** Environment variables that the services agree on. */
export const environment = {
  /** Marks the processes of one victim, so that the observer finds its root. */
  trial: 'LANDFALL_TRIAL',
  /** Whole address of the MCP endpoint that the fetcher reads. */
  mcpUrl: 'LANDFALL_MCP_URL',
  /** Seed of the demonstration canary, for the catalogue at `/mcp` and a victim that is driven by hand. */
  demoSeed: 'LANDFALL_DEMO_SEED',
} as const

/** The trial of a victim that a person drives by hand. */
export const manualTrial = 'manual'
export const defaultDemoSeed = 'demonstration'

/** Labels on every container, network and volume of the lab. */
export const labels = {
  /** Id of the run, or `manual` for `docker compose up`. */
  run: 'dev.landfall.run',
  /** Process that owns the run: `<host name>/<pid>/<start time>`. Leftovers are those whose owner is gone. */
  owner: 'dev.landfall.owner',
  /** Id of the trial, on victims. */
  trial: 'dev.landfall.trial',
} as const
