import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { directoryWith } from './directory.ts'
import { runCommand, serveJson } from './run-command.ts'

/** A directory of its own for run files, where no other server is found. */
export function machine() {
  const TMPDIR = directoryWith({})
  const env = { TMPDIR }
  return {
    env,
    directory: TMPDIR,
    runFiles: () =>
      readdirSync(TMPDIR)
        .filter(name => name.startsWith('pet-mock-'))
        .flatMap(name => readdirSync(join(TMPDIR, name))),
    serve: (...args: string[]) => serveJson(args, { env }),
    /** Runs a command line whose words have no spaces. */
    run: (line: string, more: Readonly<Record<string, string>> = {}) =>
      runCommand(line.split(' '), { env: { ...env, ...more }, cwd: TMPDIR }),
  }
}
