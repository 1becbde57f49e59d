import { fixtures } from '@landfall/catalog'
import { preparedHosts } from '../profiles.ts'
import { askVersions, profiles } from './hosts.ts'
import { table } from './table.ts'

/** `landfall-host list`: what can be installed, and with what. */
export async function list(json: boolean): Promise<void> {
  const known = preparedHosts() ?? (await askVersions(await profiles()))
  const rows = known.map(({ profile, version }) => ({
    id: profile.id,
    title: profile.title,
    formats: profile.install.map(({ format }) => format),
    version,
  }))
  if (json) {
    const listed = fixtures.map(({ id, title, formats }) => ({ id, title, formats }))
    process.stdout.write(`${JSON.stringify({ fixtures: listed, hosts: rows })}\n`)
    return
  }
  const left = table(
    ['fixture', 'formats', 'title'],
    fixtures.map(({ id, formats, title }) => [id, formats.join(', '), title]),
  )
  const right = table(
    ['host', 'formats', 'title', 'version'],
    rows.map(({ id, formats, title, version }) => [id, formats.join(', '), title, version]),
  )
  process.stdout.write(`${left}\n${right}\n`)
  process.stdout.write('landfall-host install <fixture> --host <host>\n')
}
