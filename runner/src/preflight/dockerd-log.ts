/** Reads the log of an engine that did not start. Pure. */

const known: readonly { readonly pattern: RegExp; readonly hint: string }[] = [
  {
    pattern: /error initializing graphdriver|driver not supported|failed to mount overlay/i,
    hint: 'Its storage driver does not work on this file system: give it an ext4 or xfs folder ("data-root" in /etc/docker/daemon.json).',
  },
  {
    pattern:
      /devices cgroup isn'?t mounted|cgroups?: cgroup mountpoint does not exist|no cgroup mount found|cgroup.*not mounted/i,
    hint: 'The control groups of this machine are not mounted, which an engine needs: a container without --privileged cannot run one.',
  },
  {
    pattern: /iptables.*(not found|No chain|Permission denied|can't initialize)|failed to create NAT chain/i,
    hint: "It cannot set up its network with iptables: it needs NET_ADMIN and the kernel's nat table (or try: update-alternatives --set iptables /usr/sbin/iptables-legacy).",
  },
  {
    pattern: /no space left on device/i,
    hint: 'Its disk is full.',
  },
  {
    pattern: /unable to configure the Docker daemon with file/i,
    hint: 'Its settings in /etc/docker/daemon.json are not valid.',
  },
  {
    pattern: /process with PID \d+ is still running|timeout waiting for containerd|failed to start containerd/i,
    hint: 'A part of an earlier engine is still there: end that process, or remove /var/run/docker.pid and /var/run/docker.',
  },
]

/** What is probably wrong, judged by the log of one start; undefined when nothing is recognised. */
export function diagnose(log: string): string | undefined {
  return known.find(({ pattern }) => pattern.test(log))?.hint
}

/** The last lines that say something, without the decoration of the log format. */
export function lastMessages(log: string, count: number): string[] {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => !/level=(info|debug)/.test(line))
  const messages = (telling.length > 0 ? telling : lines).map((line) => {
    const message = /msg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
    const error = /error="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
    return message === undefined ? line : error === undefined ? message : `${message}: ${error}`
  })
  return [...new Set(messages)].slice(-count)
}
