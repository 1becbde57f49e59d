import { LandfallError } from '@landfall/contracts/errors'
import { closest } from 'fastest-levenshtein'
import { quoted } from './printable.ts'

/** A usage error that names what was asked for and what was probably meant. */
export function unknownName(kind: 'host' | 'fixture', name: string, known: readonly string[]): LandfallError {
  const nearest = closest(name, known)
  const message = `there is no ${kind} ${quoted(name)}. Did you mean ${nearest}? \`landfall-host list\` shows all.`
  return new LandfallError('usage', message, { kind, name, nearest })
}
