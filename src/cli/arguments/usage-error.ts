import { exitCodes, type Io } from '../terminal/io.ts'

/** Prints the mistakes in the command line and its files. */
export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${complaints.join('\n')}\n`)
  return exitCodes.wrongUsage
}

/** Prints why a correct command cannot run now. */
export function refuseStart(reasons: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${reasons.join('\n')}\n`)
  return exitCodes.cannotStart
}
