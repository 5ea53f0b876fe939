import { existsSync } from 'node:fs'

/** Whether a file exists. False where Node's permission model forbids to look: `existsSync` would throw. */
export function exists(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}
