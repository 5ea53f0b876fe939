import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** False for what cannot be looked at, such as a loop of links. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Makes a folder and those above it. Throws Node's error. Node's own `recursive` never ends in /proc. */
export function makeFolder(folder: string, mode = 0o777): void {
  const error = makeOne(folder, mode)
  if (error === undefined) return
  const above = dirname(folder)
  if (above === folder || error.code !== 'ENOENT') throw error
  makeFolder(above, mode)
  const again = makeOne(folder, mode)
  if (again !== undefined) throw again
}

function makeOne(folder: string, mode: number): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder, { mode })
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // Not every system says EEXIST for a folder that exists.
    return isDirectory(folder) ? undefined : error
  }
}
