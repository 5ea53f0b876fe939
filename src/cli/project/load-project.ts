import { type Command, type CommandGroup, isGroup } from '../arguments/command.ts'
import type { FlagTexts } from '../arguments/flag.ts'
import { type ProjectFlags, readFlag } from '../arguments/read-flags.ts'
import { noConfigFlag } from '../arguments/serve-flags.ts'
import type { Environment } from '../terminal/io.ts'
import { findProject } from './find-project.ts'

/** The flags of the project file for a command that reads it; undefined without a file or with --no-config. */
export async function loadProject(
  command: Command,
  given: FlagTexts,
  loadCommands: () => Promise<readonly (Command | CommandGroup)[]>,
  env: Environment,
): Promise<ProjectFlags | undefined> {
  if (!command.readsProject || readFlag('no-config', noConfigFlag, given, env).value === true)
    return undefined
  const path = findProject(process.cwd())
  if (path === undefined) return undefined
  // It loads the YAML reader.
  const { readProject } = await import('./read-project.ts')
  const readers = (await loadCommands()).flatMap(one => (isGroup(one) || !one.readsProject ? [] : [one]))
  return readProject(path, command, readers)
}
