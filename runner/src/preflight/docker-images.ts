import { z } from 'zod'
import { exec } from './exec.ts'

const inspectSchema = z.object({
  Id: z.string(),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
})

export interface LocalImage {
  readonly id: string
  readonly labels: Readonly<Record<string, string>>
}

/** The image that the engine holds under this name, if it does. */
export async function localImage(name: string): Promise<LocalImage | undefined> {
  const { ok, stdout } = await exec('docker', ['image', 'inspect', '--format', '{{json .}}', name])
  if (!ok) return undefined
  const { Id, Config } = inspectSchema.parse(JSON.parse(stdout))
  return { id: Id, labels: Config?.Labels ?? {} }
}
