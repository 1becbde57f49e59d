import { defineConfig } from 'vitest/config'

const everywhere = ['packages', 'services', 'runner', 'scripts', 'tests']
const docker = everywhere.map((folder) => `${folder}/**/*.docker.test.ts`)
const agents = everywhere.map((folder) => `${folder}/**/*.agents.test.ts`)
const browser = everywhere.map((folder) => `${folder}/**/*.browser.test.ts`)

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: everywhere.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/node_modules/**', ...docker, ...browser, ...agents],
          // A test that starts a process is late on a busy machine, and not wrong.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: browser,
          exclude: ['**/node_modules/**'],
          // One browser at a time, and no hurry: a page that is late on a busy machine is not a wrong one.
          fileParallelism: false,
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
      // Their images take minutes and more than a gigabyte, so only `npm run test:agents` asks for these.
      ...(process.env['LANDFALL_TEST_AGENTS'] === '1'
        ? [
            {
              test: {
                name: 'agents',
                include: agents,
                exclude: ['**/node_modules/**'],
                fileParallelism: false,
                testTimeout: 1_800_000,
              },
            },
          ]
        : []),
    ],
  },
})
