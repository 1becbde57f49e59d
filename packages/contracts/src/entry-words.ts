import { z } from 'zod'

/**
 * A path is bytes. On the wire it is text with every byte that is not printable ASCII, and the percent sign
 * itself, written as `%XX`: readable, loss-free, and safe to show.
 */
export const WirePath = z
  .string()
  .regex(/^\/(?:[\x20-\x24\x26-\x7e]|%[0-9A-F]{2})*$/, 'expected an absolute path in wire form')

export const EntryType = z.enum(['file', 'directory', 'symlink', 'fifo', 'socket', 'char-device', 'block-device'])
export type EntryType = z.infer<typeof EntryType>
