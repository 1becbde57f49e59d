import { expect, it } from 'vitest'
import { statesText } from './lab-states.ts'

it('names each container with what the engine says of it, and says when there is none', () => {
  const container = (name: string, State: string, Status: string) => ({ Names: [`/${name}`], State, Status })
  expect(
    statesText([
      container('run-sinkhole-1', 'exited', 'Exited (1) 3 seconds ago'),
      container('run-observer-1', 'running', 'Up 2 minutes (health: starting)'),
      container('run-relay-1', 'created', ''),
    ]),
  ).toBe(
    'run-observer-1: Up 2 minutes (health: starting); run-relay-1: created; run-sinkhole-1: Exited (1) 3 seconds ago',
  )
  expect(statesText([])).toBe('no container of it is there')
})
