import manifest from '../package.json' with { type: 'json' }

/** The version of the tool, as results and `--version` state it. */
export const toolVersion: string = manifest.version
