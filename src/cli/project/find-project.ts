import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const projectFile = 'pet-mock.yaml'

/** People write this name too. The command refuses it, so that no setting is lost in silence. */
export const wrongProjectFile = 'pet-mock.yml'

/** Files that a project has at its root. */
const rootFiles = ['package.json', '.git']

/**
 * The nearest pet-mock.yaml of the project around a directory. Outside of a project, only the directory itself counts. In
 * directories where anyone may write, such as /tmp, only files of the user count.
 */
export function findProject(directory: string): string | undefined {
  let found: string | undefined
  for (let at = directory; ; at = dirname(at)) {
    found ??= [projectFile, wrongProjectFile].map(name => join(at, name)).find(isThere)
    if (rootFiles.some(name => isThere(join(at, name)))) return found
    if (at === dirname(at)) return found !== undefined && dirname(found) === directory ? found : undefined
  }
}

function isThere(path: string): boolean {
  try {
    if (!existsSync(path)) return false
    const { mode } = statSync(dirname(path))
    return process.getuid === undefined || (mode & 0o002) === 0 || lstatSync(path).uid === process.getuid()
  } catch {
    // Node's permission model forbids to look.
    return false
  }
}
