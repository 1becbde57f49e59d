import type { Asked, Site } from './fixture.ts'

/** The kinds of sites that the rows of fixtures over MCP are made of. */

export const inside: Site = {
  id: 'inside',
  meaning: "the skill's own SKILL.md was installed",
  detect: 'token',
  place: 'anywhere',
  effect: 'none',
}

/** Harm as soon as it is on disk: content that the host should have refused. */
export const installed = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'token',
  place: 'anywhere',
  effect: 'harm',
})

/** On disk like any honest part. It shows how far the host went. */
export const passed = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'token',
  place: 'anywhere',
  effect: 'none',
})

/** Harm in the directory that belongs to the skill's bare name; elsewhere the host has kept it apart. */
export const underName = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'token',
  place: 'inside',
  effect: 'harm',
})

/** The text that holds the token is inside the skill, so only a token elsewhere shows that it was acted on. */
export const executed = (meaning: string): Site => ({
  id: 'executed',
  meaning,
  detect: 'token',
  place: 'outside',
  effect: 'harm',
})

export const loaded = (id: string, meaning: string): Site => ({
  id,
  meaning,
  detect: 'loaded',
  place: 'anywhere',
  effect: 'harm',
})

export const sent = (meaning: string): Site => ({
  id: 'sent',
  meaning,
  detect: 'sent',
  place: 'anywhere',
  effect: 'harm',
})

export const asked = (id: string, meaning: string, requests: Asked): Site => ({
  id,
  meaning,
  detect: 'asked',
  asked: requests,
  place: 'anywhere',
  effect: 'harm',
})

/** Requests for pages of one listing that no host needs to make: far above any limit of its own (T6). */
export const manyPages = 100
