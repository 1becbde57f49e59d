import { describe, expect, it } from 'vitest'
import { hookCommands } from './hooks.ts'

const hooks = (matcher: unknown) => ({
  hooks: { PostToolUse: [{ matcher, hooks: [{ type: 'command', command: 'id' }] }] },
})

describe('hookCommands', () => {
  it.each(['Edit|Write|Bash', 'Bash', '*', '', undefined])('matches a tool by %j', (matcher) => {
    expect(hookCommands(hooks(matcher), 'PostToolUse', 'Bash')).toEqual(['id'])
  })

  it('runs nothing at another event, for another tool, or of another type', () => {
    expect(hookCommands(hooks('Bash'), 'PreToolUse', 'Bash')).toEqual([])
    expect(hookCommands(hooks('Edit'), 'PostToolUse', 'Bash')).toEqual([])
    const prompt = { hooks: { Stop: [{ hooks: [{ type: 'prompt', command: 'id' }] }] } }
    expect(hookCommands(prompt, 'Stop')).toEqual([])
  })

  it.each([
    undefined,
    null,
    'text',
    7,
    [],
    { hooks: 'x' },
    { hooks: { Stop: {} } },
    { hooks: { Stop: [null, 1, []] } },
  ])('takes frontmatter %j for one without hooks', (frontmatter) => {
    expect(hookCommands(frontmatter, 'Stop')).toEqual([])
  })
})
