import { setImmediate as nextTurn } from 'node:timers/promises'
import { version } from '../doors/server/version.ts'
import { codeOf, explainFileError } from '../library/files/read-file.ts'
import { type LoadCommands, refuseUsage } from './arguments/command.ts'
import { readCommandLine, readPlainLine } from './arguments/command-line.ts'
import type { HelpTopic } from './arguments/help.ts'
import { serve } from './commands/serve.ts'
import { loadProject } from './project/load-project.ts'
import { exitCodes, type Io } from './terminal/io.ts'
import { createPaint } from './terminal/text.ts'

/** Runs a command line. Resolves with the exit code: never 0 if stdout could not be written. */
export async function run(args: readonly string[], loadCommands: LoadCommands, io: Io): Promise<number> {
  let failure: Error | undefined
  io.stdout.on('error', error => {
    failure ??= error
  })
  io.stderr.on('error', () => {})
  const code = await runLine(args, loadCommands, io)
  // A failed write is reported in a later turn.
  await nextTurn()
  // A reader that goes away stops no command, and a terminal that was closed reads nothing.
  if (failure === undefined || /^(?:EPIPE|EIO)$/.test(codeOf(failure))) return code
  io.stderr.write(`pet-mock cannot write its output (${explainFileError(failure)}): it is not complete.\n`)
  return code === exitCodes.fine ? exitCodes.notSaved : code
}

/** A plain start of the server does not need the other commands. */
async function runLine(args: readonly string[], loadCommands: LoadCommands, io: Io): Promise<number> {
  const line = readPlainLine(args, serve) ?? readCommandLine(args, await loadCommands())
  if (line.kind === 'run') {
    const project = await loadProject(line.command, line.given, loadCommands, io.env)
    return line.command.run({ ...line, project, loadCommands }, io)
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
