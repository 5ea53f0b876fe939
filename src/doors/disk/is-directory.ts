import { statSync } from 'node:fs'

/** False for what cannot be looked at, such as a loop of links. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
