import { exitWith, root } from './main.ts'

const argv = process.argv.slice(2)

await exitWith(async () => {
  // Everything else either needs no engine or, like `clean`, has nothing to do where none runs.
  if (argv[0] === 'run' && !argv.includes('--help') && !argv.includes('-h')) {
    const { preflight } = await import('../runner/src/preflight/index.ts')
    await preflight({ root })
  }
  const { main } = await import('../runner/src/cli.ts')
  return main(argv)
})
