import { describe, expect, it } from 'vitest'
import { readVictimService, victimOptions } from './sandbox.ts'

const service = {
  image: 'landfall/victim-host:local',
  pid: 'service:observer',
  networks: { lab: null },
  dns: ['198.18.39.2'],
  dns_search: ['.'],
  volumes: [{ type: 'volume', source: 'ca', target: '/etc/landfall/ca', read_only: true, volume: { nocopy: true } }],
  environment: { LANDFALL_TRIAL: 'manual' },
  labels: { 'dev.landfall.run': 'r1' },
  logging: { driver: 'json-file', options: { 'max-size': '5m' } },
  init: true,
  user: '1000:1000',
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
  mem_limit: '1073741824',
  memswap_limit: '1073741824',
  pids_limit: 256,
  cpus: 1.5,
  depends_on: {},
  'x-landfall-masked-paths': ['/proc/1'],
}
const config = (change: object) => ({
  services: { 'victim-host': { ...service, ...change } },
  volumes: { ca: { name: 'landfall-r1_ca' } },
})
const victim = {
  name: 'landfall-r1-victim',
  trial: 'a.b',
  marker: 't-1',
  user: 'root' as const,
  observer: 'abc',
  network: 'run_lab',
  maskedPaths: ['/proc/kcore'],
  labels: { x: 'y' },
}

describe('the sandbox', () => {
  it('carries every setting of compose.yaml over to the engine', () => {
    const options = victimOptions(readVictimService(config({})), victim)
    expect(options).toMatchObject({
      Image: 'landfall/victim-host:local',
      User: '0:0',
      Labels: { 'dev.landfall.run': 'r1', 'dev.landfall.trial': 'a.b', x: 'y' },
      HostConfig: {
        NetworkMode: 'run_lab',
        PidMode: 'container:abc',
        Dns: ['198.18.39.2'],
        DnsSearch: ['.'],
        Mounts: [{ Type: 'volume', Source: 'landfall-r1_ca', Target: '/etc/landfall/ca', ReadOnly: true }],
        Init: true,
        MaskedPaths: ['/proc/kcore', '/proc/1'],
        CapDrop: ['ALL'],
        CapAdd: [],
        SecurityOpt: ['no-new-privileges:true'],
        Memory: 1073741824,
        MemorySwap: 1073741824,
        PidsLimit: 256,
        NanoCpus: 1.5e9,
        LogConfig: { Type: 'json-file', Config: { 'max-size': '5m' } },
      },
    })
    expect(options.Env).toEqual(['LANDFALL_TRIAL=t-1', 'HOME=/root'])
  })

  it('gives a victim its address, or leaves it to the engine', () => {
    const networkOf = (change: object) =>
      victimOptions(readVictimService(config({})), { ...victim, ...change }).NetworkingConfig?.EndpointsConfig
    expect(networkOf({})).toEqual({ run_lab: {} })
    expect(networkOf({ address: '198.18.7.10' })).toEqual({
      run_lab: { IPAMConfig: { IPv4Address: '198.18.7.10' } },
    })
  })

  it.each([
    ['a setting it does not know', { privileged: true }, /privileged/],
    ['another network as well', { networks: { lab: null, control: null } }, /lab network alone/],
    ['a PID namespace that is not the observer', { pid: 'host' }, /pid/],
    ['a folder of this machine', { volumes: [{ type: 'bind', source: '/', target: '/host' }] }, /volumes/],
    ['no memory limit', { mem_limit: undefined }, /mem_limit/],
  ])('refuses %s', (_, change, message) => {
    expect(() => victimOptions(readVictimService(config(change)), victim)).toThrow(message)
  })
})
