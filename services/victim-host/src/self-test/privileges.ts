import { existsSync, readFileSync } from 'node:fs'
import type { Probe } from './probe.ts'
import { probe } from './probe.ts'

/** Probes of what this process may do: no capability, no way to gain one, no engine to ask for it. */
export function probePrivileges(): Probe[] {
  const status = parseStatus(readFileSync('/proc/self/status', 'utf8'))
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']
  const held = sets.filter((name) => !/^0+$/.test(status.get(name) ?? ''))
  const sockets = engineSockets.filter((path) => existsSync(path))
  const noNewPrivileges = status.get('NoNewPrivs')
  return [
    probe('no capability', held.length === 0, held.length === 0 ? 'all sets are empty' : held.join(', ')),
    probe('no new privileges', noNewPrivileges === '1', `NoNewPrivs is ${String(noNewPrivileges)}`),
    probe(
      'no engine socket',
      sockets.length === 0,
      sockets.length === 0 ? 'none of the usual ones' : sockets.join(', '),
    ),
  ]
}

const engineSockets = [
  '/var/run/docker.sock',
  '/run/docker.sock',
  '/run/containerd/containerd.sock',
  '/run/podman/podman.sock',
  '/run/crio/crio.sock',
]

/** The lines of a `/proc/<pid>/status` file, by their names. */
export function parseStatus(text: string): Map<string, string> {
  return new Map(
    text.split('\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]]
    }),
  )
}
