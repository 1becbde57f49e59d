/** Counts what ran, from vitest's JSON report. Pure. */
import { z } from 'zod'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
})
type VitestReport = z.output<typeof reportSchema>

export function parseReport(text: string): VitestReport {
  return reportSchema.parse(JSON.parse(text))
}

/** No report, or one without a test, is a failure: a filter that matches nothing must not look like success. */
export const noTests: Counts = { passed: 0, failed: 1, skipped: 0 }

export function countVitest(report: VitestReport, exitCode: number): Counts {
  // A file that cannot be loaded, or a hook of a file that fails, has no failed test of its own.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const passed = report.numPassedTests
  const failed = report.numFailedTests + brokenFiles
  const skipped = report.numPendingTests + report.numTodoTests
  if (passed + failed === 0) return { ...noTests, skipped }
  // Vitest also fails for errors outside of any test.
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped }
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
