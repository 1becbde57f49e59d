/**
 * What stands in a text in characters that nobody sees: the tag characters U+E0020 to U+E007E, one for each
 * letter of ASCII. Models can read them, so an agent that obeys everything reads them too.
 */
const hidden = /[\u{E0020}-\u{E007E}]+/gu
const tagBase = 0xe0000

/** Every hidden run of `text`, in plain characters. */
export function readInvisible(text: string): string[] {
  return [...text.matchAll(hidden)].map(([run]) =>
    Array.from(run, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) - tagBase)).join(''),
  )
}

/** The commands that hidden sentences ask for, of the form `run: <command>` up to the end of the sentence's line. */
export function hiddenCommands(text: string): string[] {
  return readInvisible(text).flatMap((sentence) => /\brun:\s*(\S.*)$/.exec(sentence)?.[1] ?? [])
}
