import { parseAs } from '@landfall/contracts'
import { z } from 'zod'
import { addressOf, listen } from './listen.ts'
import { createRelay } from './relay.ts'

/** The process of the relay: where it listens and where it hands on to. Any error ends it and says why. */
const Port = z.coerce.number().int().min(1).max(65_535)
const Settings = z.object({
  /** A name that belongs to the control network alone. */
  RELAY_HOST: z.string().min(1),
  RELAY_TARGET: z.string().min(1),
  CONTROL_PORT: Port.default(3970),
})
const settings = parseAs(Settings, process.env, 'The environment of the relay')
const port = settings.CONTROL_PORT
await listen(createRelay({ host: settings.RELAY_TARGET, port }), port, await addressOf(settings.RELAY_HOST))
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
