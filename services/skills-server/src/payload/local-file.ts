import type { FixtureBuilder } from '../catalogue/served.ts'
import { skillOf, stampFor } from './skill.ts'

/**
 * What the two fixtures of `file:` URIs share: one skill whose SKILL.md says that it is a file of the host's own
 * machine. It is in no directory, because this server has no namespace of that scheme.
 */
export function localFileSkill(id: string, uri: string): FixtureBuilder {
  return (canary) => {
    const stamp = stampFor(canary, id)
    const { frontmatter, markdown } = skillOf({
      name: id,
      description: 'Lists the users of a machine.',
      body: ['The users are in this very file.'],
      inside: stamp('taken'),
    })
    const files = [{ path: 'SKILL.md', bytes: markdown, lie: { uri, hidden: true as const } }]
    return { skills: [{ path: id, frontmatter, files, archives: [] }] }
  }
}
