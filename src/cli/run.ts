import { version } from '../doors/server/version.ts'
import type { Command, CommandGroup } from './arguments/command.ts'
import { readCommandLine, readPlainLine } from './arguments/command-line.ts'
import type { HelpTopic } from './arguments/help.ts'
import { refuseUsage } from './arguments/usage-error.ts'
import { serve } from './commands/serve/command.ts'
import { loadProject } from './project/load-project.ts'
import { exitCodes, type Io } from './terminal/io.ts'
import { createPaint } from './terminal/paint.ts'

/** Runs a command line. Resolves with the exit code. A plain start of the server does not need the other commands. */
export async function run(
  args: readonly string[],
  loadCommands: () => Promise<readonly (Command | CommandGroup)[]>,
  io: Io,
): Promise<number> {
  // A reader that goes away does not stop the server.
  for (const stream of [io.stdout, io.stderr]) stream.on('error', () => {})
  const line = readPlainLine(args, serve) ?? readCommandLine(args, await loadCommands())
  if (line.kind === 'run') {
    const project = await loadProject(line.command, line.given, loadCommands, io.env)
    return line.command.run({ ...line, project }, io)
  }
  if (line.kind === 'refuse') return refuseUsage(line.complaints, io)
  if (line.kind === 'help') await printHelp(line, io)
  else io.stdout.write(`${version}\n`)
  return exitCodes.fine
}

async function printHelp(topic: HelpTopic, { stdout }: Io): Promise<void> {
  // yargs lays it out. It would be the largest import of a start.
  const { formatHelp } = await import('./arguments/help.ts')
  const paint = createPaint(stdout)
  const text = await formatHelp(topic, stdout.columns ?? 80)
  stdout.write(`${text.replace(/^\S.*:$/gm, title => paint('bold', title))}\n`)
}
