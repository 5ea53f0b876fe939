import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import type { Environment } from '../../terminal/io.ts'
import type { ServeFlagValues } from './load-scenario.ts'

/**
 * A path as whoever typed it meant it. npm runs a script in the package's directory, wherever it was called, and tells
 * by INIT_CWD where that was: what is not here may be there.
 */
export function typedPath(path: string, { INIT_CWD: typedIn = '' }: Environment): string {
  if (typedIn === '' || isAbsolute(path) || existsSync(path)) return path
  const there = join(typedIn, path)
  return existsSync(there) ? there : path
}

/** The flags of serve, with the files that they name. */
export function withTypedPaths(flags: ServeFlagValues, env: Environment): ServeFlagValues {
  const { scenario, fixtures, openapi, state } = flags.values
  const typed = (path: string | undefined) => (path === undefined ? undefined : typedPath(path, env))
  const paths = {
    scenario: shippedScenarios.has(scenario) ? scenario : typedPath(scenario, env),
    fixtures: typed(fixtures),
    openapi: typed(openapi),
    state: typed(state),
  }
  return { ...flags, values: { ...flags.values, ...paths } }
}
