import { describe, expect, it } from 'vitest'
import { Results, resultsJsonSchema } from './results.ts'

describe('the results contract', () => {
  it('is published as a schema that names every field the readers rely on', () => {
    const schema = resultsJsonSchema() as {
      required: string[]
      properties: Record<string, { items?: { required?: string[] } }>
    }
    expect(schema.required).toEqual(['$schema', 'schemaVersion', 'run', 'controls', 'trials'])
    const trial = [
      'id',
      'fixture',
      'host',
      'channel',
      'user',
      'outcome',
      'verdict',
      'reason',
      'sites',
      'durationMs',
      'evidence',
    ]
    expect(schema.properties['trials']?.items?.required).toEqual(trial)
  })

  it('refuses another version', () => {
    expect(Results.safeParse({ $schema: 'x', schemaVersion: '2.0.0', run: {}, controls: [], trials: [] }).success).toBe(
      false,
    )
  })
})
