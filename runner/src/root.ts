import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds `compose.yaml`. */
export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
