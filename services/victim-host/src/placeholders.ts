import type { CommandPlaceholder } from '@landfall/contracts'

/** Fills the placeholders of a host's command. Any other text in braces stays as it is. */
export type PlaceholderValues = Readonly<Partial<Record<CommandPlaceholder, string>>>

export function fillCommand(command: readonly string[], values: PlaceholderValues): string[] {
  const known = new Map(Object.entries(values))
  return command.map((argument) =>
    argument.replace(/(?<!\$)\{([a-z]+)\}/g, (whole, name: string) => known.get(name) ?? whole),
  )
}

/** Whether a command mentions a placeholder. */
export function mentions(command: readonly string[], name: keyof PlaceholderValues): boolean {
  return command.some((argument) => argument.includes(`{${name}}`))
}
