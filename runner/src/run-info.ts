import type { RunInfo } from '@landfall/contracts'
import type Dockerode from 'dockerode'
import { z } from 'zod'
import type { LabImages } from './lab.ts'
import type { RunManifest } from './store.ts'
import { toolVersion } from './version.ts'

/** What a reader needs to repeat a run: engine, kernel, images and the versions of the hosts. */
export async function collectRunInfo(
  engine: Dockerode,
  run: RunManifest,
  versions: Readonly<Record<string, string>>,
  images: LabImages,
): Promise<RunInfo> {
  const [version, info] = await Promise.all([
    engine.version(),
    engine.info().then((answer) => EngineInfo.parse(answer)),
  ])
  return {
    id: run.id,
    seed: run.seed,
    startedAt: run.startedAt,
    finishedAt: run.startedAt,
    tool: `landfall ${toolVersion}`,
    engine: {
      version: version.Version,
      storageDriver: info.Driver,
      cgroup: info.CgroupVersion,
      os: info.OperatingSystem,
    },
    kernel: info.KernelVersion,
    images: Object.fromEntries(Object.entries(images).map(([service, { id }]) => [service, id])),
    hosts: Object.fromEntries(Object.entries(versions).map(([host, text]) => [host, { version: text }])),
  }
}

const EngineInfo = z.looseObject({
  Driver: z.string().default('unknown'),
  CgroupVersion: z.string().default('unknown'),
  OperatingSystem: z.string().default('unknown'),
  KernelVersion: z.string().default('unknown'),
})
