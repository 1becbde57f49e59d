import { LandfallError, parseAs, SelfTestTargets } from '@landfall/contracts'
import { probeNetwork } from './network.ts'
import { probeObserver } from './observer.ts'
import { probePrivileges } from './privileges.ts'

/**
 * `landfall-host self-test`: probes from inside that this victim can do nothing but what a trial needs.
 * Prints what it found as one line of JSON; what it means is the runner's to say.
 *
 * @throws LandfallError `usage` when the targets are not JSON, `invalid` when they are not targets.
 */
export async function selfTest(targets: string): Promise<void> {
  const wanted = parseAs(SelfTestTargets, parseJson(targets), 'the targets of a self-test')
  const probes = [...probePrivileges(), ...(await probeNetwork(wanted)), ...(await probeObserver())]
  process.stdout.write(`${JSON.stringify(probes)}\n`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new LandfallError('usage', 'the targets of a self-test are not JSON', {}, { cause })
  }
}
