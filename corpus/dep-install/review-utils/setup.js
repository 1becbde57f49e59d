'use strict'

const { writeFileSync } = require('node:fs')
const { join } = require('node:path')

// npm starts this inside the package and says where it was started itself.
writeFileSync(join(process.env.INIT_CWD || '.', '.landfall-executed'), '{{canary:executed}}\n')
