import type { CheckoutEntry, ServedSkill } from '../catalogue/served.ts'
import { checkoutOf } from './checkout.ts'
import { addressName } from './find-skill.ts'

/** A repository that is a marketplace of one plugin, which holds one skill, for the agents that install plugins. */
export function marketplaceOf(skill: ServedSkill): readonly CheckoutEntry[] {
  const name = addressName(skill)
  const { description } = skill.frontmatter
  const plugin = `plugins/${name}`
  const owner = { name: 'Landfall', email: 'lab@example.com' }
  return [
    document('.claude-plugin/marketplace.json', {
      name: marketplaceName,
      owner,
      plugins: [{ name, description, version: '1.0.0', source: `./${plugin}` }],
    }),
    document(`${plugin}/.claude-plugin/plugin.json`, { name, description, version: '1.0.0' }),
    document(`${plugin}/.codex-plugin/plugin.json`, { name, description, version: '1.0.0', skills: './skills/' }),
    ...checkoutOf(skill).map((entry) => ({ ...entry, path: `${plugin}/skills/${name}/${entry.path}` })),
  ]
}

/** What a host's profile calls it when it asks for the plugin: `<skill>@lab`. */
const marketplaceName = 'lab'

const document = (path: string, value: unknown): CheckoutEntry => ({
  path,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8'),
})
