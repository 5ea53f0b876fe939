import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const projectFile = 'pet-mock.yaml'

/** Files that a project has at its root. */
const rootFiles = ['package.json', '.git']

/**
 * The nearest pet-mock.yaml of the project around a directory. Outside of a project, only the directory itself counts:
 * on a shared machine, anyone may write to the directories above, such as /tmp.
 */
export function findProject(directory: string): string | undefined {
  let found: string | undefined
  for (let at = directory; ; at = dirname(at)) {
    const file = join(at, projectFile)
    if (found === undefined && existsSync(file)) found = file
    if (rootFiles.some(name => existsSync(join(at, name)))) return found
    if (at === dirname(at)) return found === join(directory, projectFile) ? found : undefined
  }
}
