import type { DestinationStream, Logger } from 'pino'
import pino from 'pino'

/** The log: one JSON object a line, so that nothing that a victim sends can forge a line. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ name: 'sinkhole', level }, asciiOnly(destination))
}

/** JSON leaves DEL, the controls of Latin-1 and those that turn text around as they are: a terminal obeys them. */
function asciiOnly(destination: DestinationStream): DestinationStream {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { write: (line) => destination.write(line.replaceAll(/[\u007f-\uffff]/g, escape)) }
}

/** Text from a victim for one line that a person reads: printable ASCII, cut. */
export function plain(text: string, length = 300): string {
  const cut = text.length > length ? `${text.slice(0, length)}...` : text
  return cut.replaceAll(/[^\x20-\x7e]/g, '?')
}
