import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A throwaway skill directory, with the world outside beside it. */
export class Tree implements Disposable {
  readonly base: string
  readonly root: string

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.base = mkdtempSync(join(tmpdir(), 'landfall-bundle-'))
    this.root = join(this.base, 'skill')
    mkdirSync(this.root)
    for (const [path, content] of Object.entries(files)) this.write(path, content)
  }

  at(path: string): string {
    return join(this.root, path)
  }

  outside(path: string): string {
    return join(this.base, path)
  }

  write(path: string, content: string | Uint8Array = ''): void {
    mkdirSync(dirname(this.at(path)), { recursive: true })
    writeFileSync(this.at(path), content)
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}
