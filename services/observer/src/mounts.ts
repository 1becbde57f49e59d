/**
 * Which of a victim's mounts the observer must hold by a descriptor of their own.
 *
 * The root descriptor alone loses every other mount when the victim dies, and the *after* manifest is taken
 * of a dead victim. File systems that the kernel makes up are left out: nothing can be placed in them.
 */
export interface Mount {
  readonly id: number
  /** Path inside the victim, bytes in latin1. */
  readonly point: string
  readonly type: string
}

const pseudo = new Set([
  'proc',
  'sysfs',
  'devpts',
  'mqueue',
  'cgroup',
  'cgroup2',
  'securityfs',
  'debugfs',
  'tracefs',
  'configfs',
  'bpf',
  'pstore',
  'fusectl',
  'efivarfs',
  'binfmt_misc',
  'nsfs',
])

function unescape(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** Parses `/proc/<pid>/mountinfo`, read as latin1. Lines that are not as proc(5) says are left out. */
export function parseMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line): Mount[] => {
    const [front, back] = line.split(' - ', 2)
    const fields = front?.split(' ') ?? []
    const point = fields[4]
    const type = back?.split(' ')[0]
    const id = Number(fields[0])
    if (point === undefined || type === undefined || !Number.isSafeInteger(id)) return []
    return [{ id, point: unescape(point), type }]
  })
}

function isBelow(point: string, above: string): boolean {
  return above === '/' ? point !== '/' : point === above || point.startsWith(`${above}/`)
}

/** The mounts below the root that can hold files, without those inside a made-up file system such as `/proc`. */
export function mountsToHold(mounts: readonly Mount[]): Mount[] {
  const madeUp = mounts.filter((mount) => pseudo.has(mount.type))
  return mounts.filter(
    (mount) =>
      mount.point !== '/' && !pseudo.has(mount.type) && !madeUp.some(({ point }) => isBelow(mount.point, point)),
  )
}
