import { describe, expect, it } from 'vitest'
import { mountsToHold, parseMountInfo } from './mounts.ts'

const table = `
700 650 0:52 / / rw,relatime - overlay overlay rw,lowerdir=/l
701 700 0:55 / /proc rw,nosuid - proc proc rw
702 700 0:56 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k
703 702 0:57 / /dev/pts rw - devpts devpts rw
704 700 0:58 / /sys ro master:3 - sysfs sysfs ro
705 704 0:59 / /sys/fs/cgroup ro - tmpfs tmpfs ro
706 702 0:60 / /dev/mqueue rw - mqueue mqueue rw
707 702 0:61 / /dev/shm rw - tmpfs shm rw
708 700 254:0 /var/lib/hosts /etc/hosts rw master:1 - ext4 /dev/vda rw
709 700 254:0 /vol /work\\040dir rw - ext4 /dev/vda rw
710 701 0:62 / /proc/acpi ro - tmpfs tmpfs ro
711 700 0:63 / /procession rw - tmpfs tmpfs rw
nonsense
`

describe('mount table', () => {
  it('reads every line that is one', () => {
    const mounts = parseMountInfo(table)
    expect(mounts).toHaveLength(12)
    expect(mounts[0]).toEqual({ id: 700, point: '/', type: 'overlay' })
    expect(mounts.find(({ id }) => id === 709)?.point).toBe('/work dir')
  })

  it('holds what can take files, and nothing inside made-up file systems', () => {
    const points = mountsToHold(parseMountInfo(table)).map(({ point }) => point)
    expect(points).toEqual(['/dev', '/dev/shm', '/etc/hosts', '/work dir', '/procession'])
  })
})
