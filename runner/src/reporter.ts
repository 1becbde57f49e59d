import type { Outcome, TrialResult } from '@landfall/contracts'
import ora, { type Ora } from 'ora'
import type { RunReporter } from './run.ts'

/** Progress: one moving line on a terminal, one plain line per trial anywhere else. */
export interface EndingReporter extends RunReporter {
  end(): void
}

export function createReporter(stream: NodeJS.WriteStream): EndingReporter {
  return stream.isTTY ? terminalReporter(stream) : plainReporter(stream)
}

function plainReporter(stream: NodeJS.WriteStream): EndingReporter {
  return {
    note: (text) => void stream.write(`${text}\n`),
    trialEnded: (result, done, total) => {
      if (result.evidence !== '' || result.outcome === 'inconclusive')
        stream.write(`[${done}/${total}] ${line(result)}\n`)
    },
    end: () => undefined,
  }
}

function terminalReporter(stream: NodeJS.WriteStream): EndingReporter {
  const spinner: Ora = ora({ stream, discardStdin: false, hideCursor: true })
  const counts = new Map<Outcome, number>()
  return {
    note: (text) => {
      spinner.stopAndPersist({ symbol: '', text })
      spinner.start('')
    },
    trialEnded: (result, done, total) => {
      counts.set(result.outcome, (counts.get(result.outcome) ?? 0) + 1)
      const soFar = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
      spinner.text = `${done}/${total}  ${soFar}  ${result.fixture} on ${result.host}`
    },
    end: () => void spinner.stop(),
  }
}

const line = ({ fixture, host, user, outcome, durationMs, reason }: TrialResult) =>
  `${outcome.padEnd(12)} ${fixture} on ${host} as ${user} (${durationMs} ms): ${reason}`
