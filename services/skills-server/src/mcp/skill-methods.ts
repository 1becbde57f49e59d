import { z } from 'zod'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Answers } from './answer.ts'
import { invalidParams } from './answer.ts'
import type { ObservedServer } from './observed-server.ts'

/** `skills/list` and `skills/get` of the stable revision (S20 to S25). */
const ListParams = z.object({ cursor: z.string().optional() })
const GetParams = z.object({ uri: z.string() })

export function addSkillMethods(server: ObservedServer, catalogue: Catalogue, answers: Answers): void {
  const { guarded, caching, page } = answers

  server.setRequestHandler('skills/list', { params: ListParams }, ({ cursor }) =>
    guarded('skills/list', async () => {
      const { listed, pages } = await catalogue.unpacked()
      const { items, next } = page('skills', cursor, listed, pages.skills)
      return { skills: items, ...next, ...caching }
    }),
  )

  server.setRequestHandler('skills/get', { params: GetParams }, ({ uri }) =>
    guarded('skills/get', async () => {
      const { got } = await catalogue.unpacked()
      const skill = got.get(uri)
      if (skill === undefined) throw invalidParams('Unknown skill', { uri })
      return { skill, ...caching }
    }),
  )
}
