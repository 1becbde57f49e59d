import type { Target } from './clients.ts'
import { runProgram } from './program.ts'
import type { Ended } from './program.ts'
import { openTrial, startTestService } from './service.ts'

/**
 * For tests: what the Inspector's command line, which verifies every file of every listed skill, makes of a
 * server (fact sheet on MCP, section 5).
 */
export const inspectorExit = {
  verified: 0,
  /** The list cannot be read at all: an entry without `resources`, or pages without an end. */
  unusable: 1,
  /** A digest, a size, a name, a URI or the frontmatter is wrong, or a file cannot be read. */
  nonconformant: 7,
  /** Its own limits are reached before everything is read. */
  incomplete: 8,
  /** `"dynamic"`, of which nothing can be verified. */
  unverifiable: 9,
} as const

const options = ['--protocol-era', 'modern', '--method', 'skills/list', '--verify', '--require-digests']

export async function inspect(target: Target): Promise<Ended> {
  if (typeof target === 'string') {
    return await runProgram('mcp-inspector', ['--cli', target, '--transport', 'http', ...options])
  }
  const settings = Object.entries(target.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const command = [process.execPath, ...target.args, '--stdio']
  return await runProgram('mcp-inspector', ['--cli', ...options, ...settings, '--', ...command.slice(0, -1)])
}

/** The Inspector's exit code for a fixture alone, in a trial of the stable revision. */
export async function inspectFixture(fixture: string): Promise<number | null> {
  await using service = await startTestService()
  return (await inspect(await openTrial(service, 'inspected', fixture, 'stable'))).code
}
