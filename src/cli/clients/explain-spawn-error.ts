import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDirectory } from '../../doors/disk/is-directory.ts'
import { shellWords } from '../terminal/printable.ts'

/** The exit codes of shells for a command that did not run (POSIX, 2.8.2). */
export const notRunCodes = { cannotBeRun: 126, notFound: 127 } as const

/** True for a refusal of the system or of Node's permission model. Node throws some, and emits others as an event. */
export function isSpawnError(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || ('code' in error && error.code === denied))
}

const denied = 'ERR_ACCESS_DENIED'

/** Explains why a program did not run. */
export function explainSpawnError(error: Error, program: string) {
  const name = shellWords([program])
  const isPath = /[/\\]/.test(program)
  switch ('code' in error ? error.code : undefined) {
    case 'ENOENT':
      return isPath && existsSync(program)
        ? cannot(`${name} cannot be run: the interpreter that its first line names does not exist.`)
        : { exitCode: notRunCodes.notFound, text: `${name}: command not found${hintFor(program, isPath)}` }
    case 'EACCES':
      return cannot(
        isPath && isDirectory(program)
          ? `${name} cannot be run: it is a directory.`
          : `${name} cannot be run: it is not executable; use chmod +x.`,
      )
    case 'E2BIG':
      return cannot(
        `${name} cannot be run: its arguments and the environment are longer than the system allows.`,
      )
    case denied:
      return cannot(
        `${name} cannot be run: Node's permission model allows no other programs; add --allow-child-process.`,
      )
    default:
      return cannot(`${name} cannot be run (${error.message}).`)
  }
}

function cannot(text: string) {
  return { exitCode: notRunCodes.cannotBeRun, text }
}

function hintFor(program: string, isPath: boolean): string {
  if (/\s/.test(program) && !existsSync(program))
    return `. It is one word with spaces: remove the quotes, or use ${shellWords(['sh', '-c', program])}`
  if (!isPath && existsSync(join('node_modules', '.bin', program)))
    return `. It is in node_modules/.bin: did you mean ${shellWords(['npx', program])}?`
  return isPath ? '.' : '. It is not in any directory of PATH.'
}
