import { exitCodes, type Io } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'

export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(complaints)}\n`)
  return exitCodes.wrongUsage
}

/** Files and servers wrote parts of these texts. */
function printed(texts: readonly string[]): string {
  return texts
    .flatMap(text => text.split('\n'))
    .map(printable)
    .join('\n')
}

/** Prints why a correct command cannot run now. */
export function refuseStart(reasons: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${printed(reasons)}\n`)
  return exitCodes.cannotStart
}
