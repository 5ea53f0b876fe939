import { exitCodes, type Io } from '../terminal/io.ts'
import { printable, wrap } from '../terminal/printable.ts'

export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(complaints, stderr)}\n`)
  return exitCodes.wrongUsage
}

/** Files and servers wrote parts of these texts. */
function printed(texts: readonly string[], { columns = Number.POSITIVE_INFINITY }: Io['stderr']): string {
  return texts
    .flatMap(text => text.split('\n'))
    .flatMap(text => (text.length <= columns ? printable(text) : wrap(printable(text), columns)))
    .join('\n')
}

/** Prints why a correct command cannot run now. */
export function refuseStart(reasons: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(reasons, stderr)}\n`)
  return exitCodes.cannotStart
}
