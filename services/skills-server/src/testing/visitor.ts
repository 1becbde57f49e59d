import { z } from 'zod'
import { digestOf } from '../catalogue/digest.ts'
import type { TestClient } from './clients.ts'
import { read } from './clients.ts'

/** For tests: what a client sees of a whole server in either revision, page by page and file by file. */
const Item = z.object({ uri: z.string(), digest: z.string(), size: z.int() })
export const Entry = z.object({
  uri: z.string(),
  frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
  resources: z.array(Item),
})
export type Entry = z.infer<typeof Entry>

const Index = z.object({
  skills: z.array(
    z.object({
      url: z.string().optional(),
      digest: z.string().optional(),
      frontmatter: z.looseObject({ name: z.string(), description: z.string() }),
      archives: z.array(z.object({ url: z.string(), mimeType: z.string(), digest: z.string() })).default([]),
    }),
  ),
})

const maxPages = 100

/** Every item of a paged list, whatever it is. @throws Error when it does not end. */
export async function listAll(client: TestClient, method: string, field: string, params = {}): Promise<unknown[]> {
  const items: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await client.request(method, cursor === undefined ? params : { ...params, cursor })
    items.push(...z.array(z.unknown()).parse(answer[field]))
    if (answer['nextCursor'] === undefined) return items
    cursor = z.string().parse(answer['nextCursor'])
  }
  throw new Error(`${method} does not end`)
}

export async function readIndex(client: TestClient) {
  const { bytes } = await read(client, 'skill://index.json')
  return Index.parse(JSON.parse(bytes.toString('utf8'))).skills
}

/** What is wrong with the digests and sizes that an entry of the stable revision states; nothing when all is true. */
export async function faultsOf(client: TestClient, { resources }: Entry): Promise<string[]> {
  const faults: string[] = []
  for (const { uri, digest, size } of resources) {
    const { bytes } = await read(client, uri)
    if (bytes.length !== size) faults.push(`${uri} has ${bytes.length} bytes, not ${size}`)
    if (digestOf(bytes) !== digest) faults.push(`${uri} has another digest`)
  }
  return faults
}

/** Every file below a directory, by walking it. */
export async function walk(client: TestClient, directory: string): Promise<string[]> {
  const Child = z.object({ uri: z.string(), mimeType: z.string() })
  const children = z
    .array(Child)
    .parse(await listAll(client, 'resources/directory/read', 'resources', { uri: directory }))
  const below: string[] = []
  for (const { uri, mimeType } of children) {
    if (mimeType === 'inode/directory') below.push(...(await walk(client, uri)))
    else below.push(uri)
  }
  return below
}
