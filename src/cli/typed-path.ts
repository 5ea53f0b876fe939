import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Environment } from './read-flags.ts'

/**
 * A path as whoever typed it meant it. npm runs a script in the package's directory, wherever it was called, and tells
 * by INIT_CWD where that was: what is not here may be there.
 */
export function typedPath(path: string, { INIT_CWD: typedIn = '' }: Environment): string {
  if (typedIn === '' || isAbsolute(path) || existsSync(path)) return path
  const there = join(typedIn, path)
  return existsSync(there) ? there : path
}
