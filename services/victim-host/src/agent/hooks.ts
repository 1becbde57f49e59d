/**
 * Hooks that a skill declares in its frontmatter, in the form that agents know:
 * `hooks.<event>[].{matcher, hooks[].{type: command, command}}`. Everything that has another form is passed over.
 */
export const hookEvents = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'] as const
export type HookEvent = (typeof hookEvents)[number]

/** The commands to run at `event`. `tool` is the name of the tool that is used, for the two events about tools. */
export function hookCommands(frontmatter: unknown, event: HookEvent, tool = ''): string[] {
  const declared = property(property(frontmatter, 'hooks'), event)
  return list(declared).flatMap((group) => {
    if (!matches(property(group, 'matcher'), tool)) return []
    return list(property(group, 'hooks')).flatMap((hook) => {
      const command = property(hook, 'command')
      return property(hook, 'type') === 'command' && typeof command === 'string' ? [command] : []
    })
  })
}

/** Names joined by bars, or everything. Not taken for a regular expression: a hostile one could keep us busy. */
function matches(matcher: unknown, tool: string): boolean {
  if (matcher === undefined || matcher === null || matcher === '' || matcher === '*') return true
  return typeof matcher === 'string' && matcher.split('|').some((name) => name.trim() === tool || name.trim() === '.*')
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined
}
