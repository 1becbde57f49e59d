import type { CheckoutEntry } from '../../catalogue/served.ts'
import { type Answer, type Asked, missing, payload } from '../answer.ts'
import { type Repository, repositoryOf } from './objects.ts'
import { packOf } from './pack.ts'

/**
 * A repository of one commit over smart HTTP (gitprotocol-http), as much of it as a clone needs, shallow or not.
 * The first version of the protocol, which every client still speaks: there is nothing to negotiate about one commit.
 */
const service = 'git-upload-pack'
const branch = 'refs/heads/main'

/** @param path segments below the repository's address, `['info', 'refs']`. */
export function gitAt(entries: readonly CheckoutEntry[], path: readonly string[], asked: Asked): Answer {
  const [what, which, ...rest] = path
  if (entries.length === 0 || rest.length > 0) return missing
  if (asked.method === 'GET' && what === 'info' && which === 'refs' && asked.query.get('service') === service)
    return { status: 200, type: `application/x-${service}-advertisement`, bytes: advertised(repositoryOf(entries)) }
  if (asked.method !== 'POST' || what !== service || which !== undefined) return missing
  return result(repositoryOf(entries), asked.body)
}

function advertised({ head }: Repository): Buffer {
  const abilities = `shallow no-progress symref=HEAD:${branch} object-format=sha1 agent=landfall`
  return Buffer.concat([
    line(`# service=${service}\n`),
    flush,
    line(`${head} HEAD\0${abilities}\n`),
    line(`${head} ${branch}\n`),
    flush,
  ])
}

/**
 * A client that wants a part of the history is told first where it is cut. Our one commit has no parent, so it is
 * never cut. Until the client is done it gets no more than that.
 */
function result({ objects }: Repository, body: string): Answer {
  const type = `application/x-${service}-result`
  const cuts = /deepen \d+/.test(body) ? [flush] : []
  if (!/(?:^|\n|\d{4})0009done/.test(body)) return { status: 200, type, bytes: Buffer.concat(cuts) }
  return payload(type, Buffer.concat([...cuts, line('NAK\n'), packOf(objects)]))
}

/** A line of the protocol: its length, itself included, as four hex digits. */
function line(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'), bytes])
}

const flush = Buffer.from('0000', 'latin1')
