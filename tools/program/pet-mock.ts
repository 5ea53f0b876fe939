import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

const bundle = `${root}dist/pet-mock.cjs`

/** The words that start the command with Node, as users run it; in a clone without a build, from its source. */
export const commandWords: readonly string[] = existsSync(bundle)
  ? [bundle]
  : ['--import', import.meta.resolve('tsx'), `${root}src/cli/main.ts`]

/** Nothing that was set for this process may change what a tool measures or checks. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(?:PET_MOCK_|npm_(?:package|lifecycle)_|NODE_(?:OPTIONS|ENV|COMPILE_CACHE)$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
