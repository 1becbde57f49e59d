/** What a terminal or a page would act on, swallow, or show as nothing. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu
const beyondAscii = /[^\0-\u007f]/gu

/**
 * A path as a JSON string that is safe to show: control and format characters, the C1 ones of terminals
 * included, unassigned characters and unusual spaces are written as `\uXXXX`. So is everything beyond ASCII
 * in a path that is not composed, because it would look like another one.
 */
export function quotePath(path: string): string {
  const quoted = JSON.stringify(path).replace(unseen, escapeUnits)
  return path === path.normalize('NFC') ? quoted : quoted.replace(beyondAscii, escapeUnits)
}

function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('')
}
