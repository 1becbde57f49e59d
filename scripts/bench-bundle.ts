import { main } from '../runner/src/bundle-bench.ts'
import { exitWith } from './main.ts'

await exitWith(() => Promise.resolve(main()))
