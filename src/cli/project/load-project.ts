import { existsSync, lstatSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type Command, isGroup, type LoadCommands } from '../arguments/command.ts'
import { type FlagTexts, type ProjectFlags, readFlags } from '../arguments/flag.ts'
import { noConfigFlag } from '../arguments/serve-flags.ts'
import type { Environment } from '../terminal/io.ts'

export const projectFile = 'pet-mock.yaml'

/** People write this name too. The command refuses it, so that no setting is lost in silence. */
const wrongProjectFile = 'pet-mock.yml'

/** The flags of the project file for a command that reads it; undefined without a file or with --no-config. */
export async function loadProject(
  command: Command,
  given: FlagTexts,
  loadCommands: LoadCommands,
  env: Environment,
): Promise<ProjectFlags | undefined> {
  const { values } = readFlags({ 'no-config': noConfigFlag }, given, env)
  if (!command.readsProject || values['no-config']) return undefined
  const path = findProject(process.cwd())
  if (path === undefined) return undefined
  if (basename(path) === wrongProjectFile) {
    const file = relative(process.cwd(), path)
    const complaint = `${file}: the project file is named ${projectFile}. Rename this file.`
    return { file, texts: new Map(), complaints: [complaint] }
  }
  // It loads the YAML reader.
  const { readProject } = await import('./read-project.ts')
  const readers = (await loadCommands()).flatMap(one => (isGroup(one) || !one.readsProject ? [] : [one]))
  return readProject(path, command, readers)
}

const rootFiles = ['package.json', '.git']

/**
 * The nearest pet-mock.yaml of the project around a directory. Outside of a project, only the directory itself counts. In
 * directories where anyone may write, such as /tmp, only files of the user count.
 */
function findProject(directory: string): string | undefined {
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
