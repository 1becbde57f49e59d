import { describe, expect, it } from 'vitest'
import type { EngineFacts } from './engine-facts.ts'
import { planEngine } from './engine-plan.ts'

const running = {
  version: '26.1.5',
  name: 'vm',
  rootFolder: '/var/lib/docker',
  storageDriver: 'overlay2',
  cgroupVersion: '2',
}
const debian = { id: 'debian', like: [], codename: 'bookworm', prettyName: 'Debian GNU/Linux 12' }
const here = { host: 'unix:///var/run/docker.sock', chosenBy: undefined, context: 'default' }
const elsewhere = { host: 'tcp://lab.example:2376', chosenBy: 'DOCKER_HOST', context: 'default' }

/** A root user on Debian whose engine runs; each test changes what it is about. */
function facts(changes: Partial<EngineFacts> = {}): EngineFacts {
  return {
    platform: 'linux',
    isRoot: true,
    setupAllowed: true,
    os: debian,
    hasApt: true,
    hasSystemd: false,
    hasClient: true,
    daemon: '/usr/sbin/dockerd',
    compose: '2.26.1',
    buildx: '0.13.1',
    endpoint: here,
    running,
    whyNotRunning: '',
    ...changes,
  }
}

const stopped = { running: undefined, whyNotRunning: 'Cannot connect to the Docker daemon' }
const bare = { ...stopped, hasClient: false, daemon: undefined, compose: undefined, buildx: undefined }

function refusal(changes: Partial<EngineFacts>): string {
  const plan = planEngine(facts(changes))
  return plan.do === 'refuse' ? plan.message : `not refused: ${plan.do}`
}

describe('planEngine, engine found and running', () => {
  it('uses it, whoever asks and whatever the distribution', () => {
    expect(planEngine(facts())).toEqual({ do: 'use' })
    expect(planEngine(facts({ isRoot: false, setupAllowed: false, os: undefined }))).toEqual({ do: 'use' })
    expect(planEngine(facts({ platform: 'darwin', daemon: undefined, os: undefined }))).toEqual({ do: 'use' })
  })

  it('installs a missing plugin and nothing else', () => {
    expect(planEngine(facts({ compose: undefined }))).toEqual({ do: 'install', missing: ['compose'] })
  })
})

describe('planEngine, engine found and not running', () => {
  it('starts it when root', () => {
    expect(planEngine(facts(stopped))).toEqual({ do: 'start', how: 'dockerd' })
    expect(planEngine(facts({ ...stopped, hasSystemd: true }))).toEqual({ do: 'start', how: 'systemd' })
  })

  it('prints the exact command when not root, or when it may change nothing', () => {
    expect(refusal({ ...stopped, isRoot: false })).toContain("sudo sh -c 'setsid dockerd ")
    expect(refusal({ ...stopped, isRoot: false, hasSystemd: true })).toContain('sudo systemctl start docker')
    expect(refusal({ ...stopped, setupAllowed: false })).toMatch(/LANDFALL_SETUP=never.*dockerd/)
  })

  it('does not take a socket that this user may not open for an engine that is stopped', () => {
    const whyNotRunning = 'permission denied while trying to connect to the Docker daemon socket'
    expect(refusal({ running: undefined, whyNotRunning, isRoot: false })).toContain('usermod -aG docker')
  })
})

describe('planEngine, engine missing', () => {
  it('installs all of it as root on Debian', () => {
    expect(planEngine(facts(bare))).toEqual({ do: 'install', missing: ['client', 'daemon', 'compose', 'buildx'] })
  })

  it('refuses where it was told to, says who can, and says what to install elsewhere', () => {
    expect(refusal({ ...bare, setupAllowed: false })).toContain('LANDFALL_SETUP=never')
    expect(refusal({ ...bare, isRoot: false })).toContain('sudo npm run setup')
    const fedora = { id: 'fedora', like: [], codename: '', prettyName: 'Fedora Linux 43' }
    expect(refusal({ ...bare, os: fedora, hasApt: false })).toContain('Install Docker Engine')
    expect(refusal({ ...bare, platform: 'darwin', os: undefined })).toContain('Docker Desktop')
  })
})

describe('planEngine, engine of somebody else', () => {
  it('uses it when all is there', () => {
    expect(planEngine(facts({ endpoint: elsewhere, daemon: undefined }))).toEqual({ do: 'use' })
  })

  it('never starts or installs anything for it', () => {
    expect(refusal({ endpoint: elsewhere, ...stopped })).toContain('chosen by DOCKER_HOST')
    expect(refusal({ endpoint: elsewhere, compose: undefined })).toContain('no compose plugin')
    expect(refusal({ endpoint: elsewhere, ...bare })).toContain('the docker command is missing')
  })
})
