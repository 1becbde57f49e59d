import manifest from '../package.json' with { type: 'json' }

export const serverInfo = { name: 'landfall-sinkhole', version: manifest.version }
