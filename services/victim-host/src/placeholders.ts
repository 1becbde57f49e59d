import type { commandPlaceholders } from '@landfall/contracts'

/** Fills the placeholders of a host's command. Any other text in braces stays as it is. */
export type PlaceholderValues = Readonly<Record<(typeof commandPlaceholders)[number], string>>

export function fillCommand(command: readonly string[], values: PlaceholderValues): string[] {
  return command.map((argument) =>
    argument.replace(/(?<!\$)\{([a-z]+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? values[name as keyof PlaceholderValues] : whole,
    ),
  )
}

/** Whether a command mentions a placeholder. */
export function mentions(command: readonly string[], name: keyof PlaceholderValues): boolean {
  return command.some((argument) => argument.includes(`{${name}}`))
}
