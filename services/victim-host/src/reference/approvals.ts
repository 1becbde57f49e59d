import { z } from 'zod'
import type { Disk } from './disk.ts'
import type { Places } from './rules/cache.ts'

/** Approvals that outlive the host, on its own disk: what was approved, and the content it was approved for (H29). */
const Kept = z.record(z.string(), z.string())

export const approvalsFile = ({ store }: Pick<Places, 'store'>): string => `${store}/approvals.json`

export class Approvals {
  readonly #disk: Disk
  readonly #path: string
  readonly #kept: Map<string, string>

  constructor(disk: Disk, path: string) {
    this.#disk = disk
    this.#path = path
    // A file that is no longer ours approves nothing.
    const text = disk.readIfThere(path)?.toString('utf8') ?? '{}'
    this.#kept = new Map(Object.entries(Kept.safeParse(parsed(text)).data ?? {}))
  }

  get(key: string): string | undefined {
    return this.#kept.get(key)
  }

  set(key: string, content: string): void {
    this.#kept.set(key, content)
    this.#write()
  }

  /** What was approved of a server goes with it: whoever gets its label next was never approved. */
  forget(server: string): void {
    for (const key of this.#kept.keys()) if (key.startsWith(`${server} `)) this.#kept.delete(key)
    this.#write()
  }

  #write(): void {
    this.#disk.write(
      this.#path,
      Buffer.from(`${JSON.stringify(Object.fromEntries(this.#kept), undefined, 2)}\n`),
      0o600,
    )
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
