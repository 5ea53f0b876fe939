import { exitCodes, type Io } from './io.ts'

/** Tells everything that is wrong with how the command was called, and what to read. */
export function refuseUsage(complaints: readonly string[], { stderr }: Pick<Io, 'stderr'>): number {
  stderr.write(`${complaints.join('\n')}\n`)
  return exitCodes.wrongUsage
}
