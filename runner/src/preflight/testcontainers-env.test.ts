import { describe, expect, it } from 'vitest'
import { testcontainersEnvironment } from './testcontainers-env.ts'

const here = { host: 'unix:///var/run/docker.sock', chosenBy: undefined, context: 'default' }
const engine = { name: 'vm', endpoint: here }
const machine = { looksLikeContainer: false, hostname: 'vm' }

describe('testcontainersEnvironment', () => {
  it('switches off the reaper, and nothing else on an ordinary machine', () => {
    expect(testcontainersEnvironment(engine, machine, {})).toEqual({ TESTCONTAINERS_RYUK_DISABLED: 'true' })
  })

  it('corrects the library where it takes the engine’s own machine for a container', () => {
    const mistaken = { ...machine, looksLikeContainer: true }
    expect(testcontainersEnvironment(engine, mistaken, {})).toHaveProperty('TESTCONTAINERS_HOST_OVERRIDE', '127.0.0.1')
  })

  it('believes it in a container that was lent the engine’s socket', () => {
    const container = { looksLikeContainer: true, hostname: '3f1c9a7be021' }
    expect(testcontainersEnvironment(engine, container, {})).not.toHaveProperty('TESTCONTAINERS_HOST_OVERRIDE')
  })

  it('leaves what the user has set', () => {
    const env = { TESTCONTAINERS_HOST_OVERRIDE: '10.0.0.1' }
    const settings = testcontainersEnvironment(engine, { ...machine, looksLikeContainer: true }, env)
    expect(settings).not.toHaveProperty('TESTCONTAINERS_HOST_OVERRIDE')
  })

  it('hands on the address of a docker context', () => {
    const endpoint = {
      host: 'unix:///run/user/1000/docker.sock',
      chosenBy: "the docker context 'rootless'",
      context: 'rootless',
    }
    expect(testcontainersEnvironment({ ...engine, endpoint }, machine, {})).toHaveProperty('DOCKER_HOST', endpoint.host)
  })
})
