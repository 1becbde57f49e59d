import { describe, expect, it } from 'vitest'
import { addressOf, closeServer, listen } from './listen.ts'

describe('addressOf', () => {
  it('asks again until the name resolves', async () => {
    let asked = 0
    const waits: number[] = []
    const resolve = (name: string) => {
      asked += 1
      return asked < 4 ? Promise.reject(new Error('not yet')) : Promise.resolve(`address of ${name}`)
    }
    const wait = (ms: number) => Promise.resolve(waits.push(ms))
    expect(await addressOf('control', { resolve, wait })).toBe('address of control')
    expect(waits).toHaveLength(3)
  })

  it('gives up in the end and names the name', async () => {
    const resolve = () => Promise.reject(new Error('never'))
    await expect(addressOf('control', { resolve, wait: () => Promise.resolve() })).rejects.toMatchObject({
      code: 'machine',
      message: 'Name does not resolve: control',
    })
  })
})

describe('listen', () => {
  it('says which address and port cannot be had', async () => {
    const first = await listen(() => undefined, '127.0.0.1', 0)
    try {
      await expect(listen(() => undefined, '127.0.0.1', first.port)).rejects.toMatchObject({
        code: 'machine',
        data: { address: '127.0.0.1', port: first.port },
      })
    } finally {
      await closeServer(first)
    }
  })
})
