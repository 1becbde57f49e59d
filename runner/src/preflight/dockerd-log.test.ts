import { describe, expect, it } from 'vitest'
import { diagnose, lastMessages } from './dockerd-log.ts'

describe('diagnose', () => {
  it.each([
    [
      'failed to start daemon: error initializing graphdriver: prerequisites for driver not satisfied',
      /storage driver/,
    ],
    ["failed to start daemon: Devices cgroup isn't mounted", /control groups/],
    ['failed to start daemon: process with PID 861 is still running', /earlier engine/],
    ['unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid character', /daemon\.json/],
    ["failed to create NAT chain DOCKER: iptables failed: can't initialize iptables table `nat'", /iptables/],
    ['write /var/lib/docker/tmp: no space left on device', /disk is full/],
  ])('recognises %s', (line, hint) => {
    expect(diagnose(`level=info msg="Starting up"\n${line}\n`)).toMatch(hint)
  })

  it('does not guess', () => {
    expect(diagnose('level=info msg="Starting up"')).toBeUndefined()
  })
})

describe('lastMessages', () => {
  it('leaves out what went well, decoration and repetition', () => {
    const log = [
      'time="x" level=info msg="Starting up"',
      'time="x" level=warning msg="cannot do \\"this\\"" error="no such file"',
      'time="x" level=warning msg="cannot do \\"this\\"" error="no such file"',
      'failed to start daemon: reason',
      '',
    ].join('\n')
    expect(lastMessages(log, 8)).toEqual(['cannot do \\"this\\": no such file', 'failed to start daemon: reason'])
  })

  it('shows ordinary lines when there is nothing else', () => {
    expect(lastMessages('level=info msg="Starting up"\nlevel=info msg="Ready"', 1)).toEqual(['Ready'])
  })
})
