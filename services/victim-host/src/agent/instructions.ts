/**
 * Reads the text of a skill as an agent would that takes every line for an instruction. Pure.
 *
 * It understands what skills are made of, and no prose beyond that: fenced commands, code between back-quotes,
 * lines that a host replaces by a command's output, and the request to keep what was shown in a file.
 */
export type Instruction = { readonly line: number } & (
  | { readonly kind: 'expand'; readonly run: string }
  | { readonly kind: 'run'; readonly run: string }
  /** Code between back-quotes, or the target of a link: a command or a file, which only the machine can tell. */
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'keep'; readonly file: string }
)

const shells = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh'])
const fence = /^\s*(?:`{3,}|~{3,})\s*([\w-]*)/
const expansion = /!`([^`\n]+)`/g
const span = /(!?)`([^`\n]+)`|\]\(([^()\s]+)\)/g
const keep = /\b(?:keep|save|store|write)\b[^.`]{0,200}\b(?:in|into|to)\s+`([^`\n]+)`/i

/** The instructions of `body` in the order of the text. `firstLine` is the number of its first line. */
export function readInstructions(body: string, firstLine = 1): Instruction[] {
  const found: Instruction[] = []
  let block: { language: string; lines: string[]; line: number } | undefined
  for (const [index, text] of body.split('\n').entries()) {
    const line = firstLine + index
    const mark = fence.exec(text)
    if (mark !== null && block !== undefined) {
      if (shells.has(block.language)) found.push(...fenced(block))
      block = undefined
    } else if (mark !== null) block = { language: (mark[1] ?? '').toLowerCase(), lines: [], line: line + 1 }
    else if (block !== undefined) block.lines.push(text)
    else found.push(...readLine(text, line))
  }
  return found
}

function fenced({ lines, line }: { lines: readonly string[]; line: number }): Instruction[] {
  // What shows a terminal has a prompt before each command, and output that is not for running.
  const prompted = lines.filter((text) => text.startsWith('$ '))
  const run = (prompted.length > 0 ? prompted.map((text) => text.slice(2)) : lines).join('\n')
  return run.trim() === '' ? [] : [{ kind: 'run', run, line }]
}

function readLine(text: string, line: number): Instruction[] {
  const expansions = [...text.matchAll(expansion)].map(([, run = '']): Instruction => ({ kind: 'expand', run, line }))
  const codes = [...text.matchAll(span)].flatMap(([, bang, code, target]): Instruction[] =>
    bang === '!' ? [] : [{ kind: 'code', text: code ?? target ?? '', line }],
  )
  const file = keep.exec(text)?.[1]
  return [...expansions, ...codes, ...(file === undefined ? [] : [{ kind: 'keep' as const, file, line }])]
}
