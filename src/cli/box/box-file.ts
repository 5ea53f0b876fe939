import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { version } from '../../doors/server/version.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Served } from '../../judges/box/box.ts'
import { keepBox } from '../../judges/box/keep-box.ts'
import { makeFolder } from '../../library/files/folders.ts'
import { explainFileError } from '../../library/files/read-file.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { printable, shellWords } from '../terminal/text.ts'

export type BoxFile = ReturnType<typeof startBox>

/** How often connections are looked at, and how often lines are written: a crash loses no more. In milliseconds. */
const lookMs = 20
const writeMs = 800

/** A thread of zlib would cost several times as much as it takes over. */
const pack = (lines: string) => gzipSync(lines, { level: constants.Z_BEST_SPEED })

/**
 * Records a run from now on, in a file of at most `mostBytes`. Until the end, its parts are temporary files beside it. What
 * is written at a time is a member of its own, so they can be read after a crash. `pid`: of this process.
 */
export function startBox(
  path: string,
  emulator: Emulator,
  served: Served,
  mostBytes: number,
  { pid }: Pick<Io, 'pid'>,
) {
  let begun = 0
  const begin = () => {
    begun += 1
    return createFilePart(`${path}.${pid}-${begun}.tmp`)
  }
  const files = { begin, pack, mostBytes }
  const kept = keepBox(emulator, { ...served, door: 'server', version }, undefined, files)
  let left = writeMs
  const timer = setInterval(() => {
    kept.look()
    left -= lookMs
    if (left > 0) return
    left = writeMs
    void kept.flush()
  }, lookMs).unref()

  return {
    path,
    copy: kept.copy,
    note: kept.note,
    /** Ends the box, and keeps its file or removes it. Resolves with why it could not be written, if so. */
    end: async (isKept: boolean) => {
      clearInterval(timer)
      const { parts, ...ended } = await kept.end()
      let { problem } = ended
      try {
        const [first, ...others] = parts
        if (isKept && first !== undefined && problem === undefined) {
          for (const { file } of others) await appendFile(first.file, await readFile(file))
          await rename(first.file, path)
        }
      } catch (error) {
        problem = error
      }
      for (const { drop } of parts) await drop().catch(() => {})
      return problem === undefined ? undefined : `${path} cannot be written (${explainFileError(problem)})`
    },
  }
}

function createFilePart(file: string) {
  let isNew = true
  return {
    file,
    add: async (members: readonly Uint8Array[]) => {
      if (isNew) makeFolder(dirname(file))
      await (isNew ? writeFile : appendFile)(file, Buffer.concat(members))
      isNew = false
    },
    read: async () => [await readFile(file)],
    drop: () => rm(file, { force: true }),
  }
}

/** Ends a box, says where it is or why there is none, and resolves with the exit code: that of the command comes first. */
export async function endBox(
  box: BoxFile,
  isKept: boolean,
  exitCode: number,
  { stderr }: Pick<Io, 'stderr'>,
): Promise<number> {
  const problem = await box.end(isKept)
  const file = printable(box.path)
  if (problem !== undefined) stderr.write(`pet-mock: ${printable(problem)}\n`)
  else if (isKept)
    stderr.write(`pet-mock: the run is in ${file}. To open it: pet-mock box open ${shellWords([box.path])}\n`)
  return exitCode === exitCodes.fine && problem !== undefined ? exitCodes.notSaved : exitCode
}
