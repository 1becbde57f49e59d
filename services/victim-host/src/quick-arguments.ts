import type { InstallRequest } from './install.ts'

/**
 * Recognises the one form that the runner uses: `install --profile JSON --url U [--host-version V] [--format F | --channel C [--sources JSON]]
 * [--use JSON] --go stdin --json`, each option once and followed by its value. Everything else, and every mistake, is the option parser's to explain.
 */
export function quickInstall([command, ...rest]: readonly string[]): InstallRequest | undefined {
  if (command !== 'install' || rest.at(-1) !== '--json') return undefined
  const options = new Map<string, string>()
  for (let index = 0; index < rest.length - 1; index += 2) {
    const [name, value] = rest.slice(index, index + 2)
    if (name === undefined || value === undefined || value.startsWith('-') || options.has(name)) return undefined
    options.set(name, value)
  }
  const {
    '--profile': profile,
    '--host-version': version,
    '--url': url,
    '--format': format,
    '--channel': channel,
    '--sources': sources,
    '--use': use,
    '--go': go,
    ...others
  } = Object.fromEntries(options)
  if (profile === undefined || url === undefined || go !== 'stdin' || Object.keys(others).length > 0) return undefined
  return {
    profile,
    url,
    json: true,
    ...(version === undefined ? {} : { hostVersion: version }),
    ...(format === undefined ? {} : { format }),
    ...(channel === undefined ? {} : { channel }),
    ...(sources === undefined ? {} : { sources }),
    ...(use === undefined ? {} : { use }),
  }
}
