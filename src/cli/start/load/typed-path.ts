import { isAbsolute, join } from 'node:path'
import { exists } from '../../../library/files/read-file.ts'
import type { Flag } from '../../arguments/flag.ts'
import { type ServeValues, serveFlags } from '../../arguments/serve-flags.ts'
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
  const ofProject = flags.project?.flags
  const paths = Object.entries<Flag<unknown>>(serveFlags).flatMap(([name, { isPath }]) => {
    const path: unknown = flags.values[name as keyof ServeValues]
    const isTyped = typeof path === 'string' && isPath?.(path) === true && ofProject?.has(name) !== true
    return isTyped ? [[name, typedPath(path, env)] as const] : []
  })
  return { ...flags, values: { ...flags.values, ...Object.fromEntries(paths) } }
}
