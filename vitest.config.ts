import { defineConfig } from 'vitest/config'

const everywhere = ['packages', 'services', 'runner', 'scripts', 'tests']
const docker = everywhere.map((folder) => `${folder}/**/*.docker.test.ts`)

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: everywhere.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/node_modules/**', ...docker],
        },
      },
      {
        test: {
          name: 'docker',
          include: docker,
          exclude: ['**/node_modules/**'],
          // The engine is one, and so are its ports, networks and the time limits of a trial.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
