import { isAbsolute, join } from 'node:path'
import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { exists } from '../../../library/files/read-file.ts'
import type { Environment } from '../../terminal/io.ts'
import type { ServeFlagValues } from './load-from-flags.ts'

/**
 * Resolves a path from where the user typed it. npm runs scripts in the package's directory and keeps the original one in
 * INIT_CWD, which is the second choice.
 */
export function typedPath(path: string, { INIT_CWD: typedIn = '' }: Environment): string {
  if (typedIn === '' || isAbsolute(path) || exists(path)) return path
  const there = join(typedIn, path)
  return exists(there) ? there : path
}

/** Resolves the paths in the flags of serve. Those of the project file are resolved already. */
export function withTypedPaths(flags: ServeFlagValues, env: Environment): ServeFlagValues {
  const { scenario, fixtures, openapi, state, 'tls-cert': cert, 'tls-key': key } = flags.values
  const isTyped = (name: string) => flags.project?.flags.has(name) !== true
  const typed = <P extends string | undefined>(name: string, path: P) =>
    path !== undefined && isTyped(name) ? typedPath(path, env) : path
  const paths = {
    scenario: shippedScenarios.has(scenario) ? scenario : typed('scenario', scenario),
    fixtures: typed('fixtures', fixtures),
    openapi: typed('openapi', openapi),
    state: typed('state', state),
    'tls-cert': typed('tls-cert', cert),
    'tls-key': typed('tls-key', key),
  }
  return { ...flags, values: { ...flags.values, ...paths } }
}
