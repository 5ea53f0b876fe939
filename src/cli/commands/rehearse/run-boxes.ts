import { basename, extname, join } from 'node:path'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Served } from '../../../judges/box/box.ts'
import { usualBoxSize } from '../../arguments/serve-flags.ts'
import { type BoxFile, startBox } from '../../box/box-file.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { printable } from '../../terminal/text.ts'

export type RunBoxes = ReturnType<typeof keepBoxes>

/** Records each run of a client in a box of its own: `ban.petbox`, `ban-2.petbox`. Keeps those of failed runs. */
export function keepBoxes(folder: string, io: Pick<Io, 'pid' | 'stderr'>) {
  const counts = new Map<string, number>()
  const kept: string[] = []
  const problems: string[] = []
  return {
    begin: (situation: string) => {
      const name = basename(situation, extname(situation)).replace(/[^\w.-]/g, '-')
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}.petbox`)
      let box: BoxFile | undefined
      return {
        record: (emulator: Emulator, served: Served): void => {
          box = startBox(path, emulator, served, usualBoxSize, io)
        },
        /** A run without a request has no box. */
        end: async (isFailed: boolean): Promise<void> => {
          const problem = await box?.end(isFailed)
          if (problem !== undefined) problems.push(problem)
          else if (isFailed && box !== undefined) kept.push(path)
        },
      }
    },
    /** Prints where the boxes are. Returns the exit code of a rehearsal that passed. */
    conclude: (): number => {
      for (const problem of problems) io.stderr.write(`pet-mock: ${printable(problem)}\n`)
      if (kept.length > 0)
        io.stderr.write(
          `pet-mock: the failed runs are in ${printable(kept.join(', '))}. To open one: pet-mock box open FILE\n`,
        )
      return problems.length === 0 ? exitCodes.fine : exitCodes.notSaved
    },
  }
}
