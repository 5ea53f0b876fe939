import { exitCodes, type Io } from '../terminal/io.ts'

/** Tells everything that is wrong with how the command was called, and what to read. */
export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${complaints.join('\n')}\n`)
  return exitCodes.wrongUsage
}

/** Tells why what was asked for, with which nothing is wrong, cannot be had now. */
export function refuseStart(reasons: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${reasons.join('\n')}\n`)
  return exitCodes.cannotStart
}
