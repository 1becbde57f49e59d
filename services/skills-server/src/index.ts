export type { Config } from './config.ts'
export { readConfig } from './config.ts'
export type { ServiceParts, StartedService } from './service.ts'
export { startService } from './service.ts'
