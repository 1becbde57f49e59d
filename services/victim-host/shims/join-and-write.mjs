import { chmod, link, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The loop that many people write around a parser: join the name to the destination and write. No check at all. */
export async function joinAndWrite(
  dest,
  { name, type = name.endsWith('/') ? 'directory' : 'file', mode, target, bytes },
) {
  const path = join(dest, name)
  if (type === 'directory') {
    await mkdir(path, { recursive: true })
    return
  }
  await mkdir(dirname(path), { recursive: true })
  if (type === 'symlink') await symlink(target, path)
  else if (type === 'link') await link(join(dest, target), path)
  else if (type === 'file') {
    await writeFile(path, bytes)
    if (mode !== undefined) await chmod(path, mode)
  }
}
