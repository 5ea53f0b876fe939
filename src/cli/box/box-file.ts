import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { version } from '../../doors/server/version.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Served } from '../../judges/box/box.ts'
import { boxOfSandbox } from '../../judges/box/box-of-sandbox.ts'
import type { KeptBox } from '../../judges/box/keep-box.ts'
import { packBox, unpackBox } from '../../judges/box/pack-box.ts'
import { type BoxRecorder, recordBox } from '../../judges/box/record-box.ts'
import { makeFolder } from '../../library/files/folders.ts'
import { explainFileError } from '../../library/files/read-file.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'

export interface BoxFile {
  readonly path: string
  /** The box so far, as a whole file: of all sandboxes (`*`), or of one. Rejects with Node's system error. */
  readonly copy: KeptBox['copy']
  /** A line for people: a request that became no call. `at`: the door's time. */
  readonly note: BoxRecorder['note']
  /** Ends the box, and keeps its file or removes it. Resolves with why it could not be written, if so. */
  readonly end: (isKept: boolean) => Promise<string | undefined>
}

/** A piece of the box in a file of its own. It begins with a snapshot, so earlier ones can go. `start`: bytes of the snapshot. */
interface Part {
  readonly file: string
  bytes: number
  start: number
}

/** How often lines are taken, and how often they are written: a crash loses no more. In milliseconds. */
const takeMs = 20
const writeMs = 800
/** Characters that do not wait for their time. */
const manyLines = 1_048_576
/** How many parts fill the whole size. */
const fewParts = 4

const compress = promisify(gzip)

/** Records a run from now on, in a file of at most `mostBytes`. `pid`: of this process. */
export function startBox(
  path: string,
  emulator: Emulator,
  served: Served,
  mostBytes: number,
  { pid }: Pick<Io, 'pid'>,
): BoxFile {
  return writeBox(path, recordBox(emulator, { ...served, door: 'server', version }), mostBytes, pid)
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
  else if (isKept) stderr.write(`pet-mock: the run is in ${file}. To open it: pet-mock box open ${file}\n`)
  return exitCode === exitCodes.fine && problem !== undefined ? exitCodes.notSaved : exitCode
}

/**
 * Writes what a recorder hears to a temporary file beside `path`, off the path of calls. Each second is compressed on its
 * own, so the file can be read after a crash. Beyond `mostBytes`, the oldest part goes.
 */
function writeBox(path: string, recorder: BoxRecorder, mostBytes: number, pid: number): BoxFile {
  const parts: Part[] = []
  let begun = 0
  let lines = ''
  let writtenAt = performance.now()
  let problem: unknown
  let writing: Promise<void> = Promise.resolve()

  const inOrder = (act: () => Promise<void>): Promise<void> => {
    writing = writing
      .then(() => (problem === undefined ? act() : undefined))
      .catch(error => {
        problem = error
        clearInterval(timer)
        recorder.end()
      })
    return writing
  }
  const beginPart = () => {
    begun += 1
    const file = `${path}.${pid}-${begun}.tmp`
    inOrder(async () => {
      if (begun === 1) makeFolder(dirname(path))
      await writeFile(file, '')
      parts.push({ file, bytes: 0, start: 0 })
    })
  }
  const append = async (text: string) => {
    const part = parts.at(-1)
    if (part === undefined) return
    const bytes = await compress(text)
    await appendFile(part.file, bytes)
    part.bytes += bytes.length
    part.start ||= bytes.length
    while (parts.length > 1 && parts.reduce((sum, { bytes }) => sum + bytes, 0) > mostBytes)
      await rm(parts.shift()?.file ?? '', { force: true })
  }
  const write = (last = recorder.take()) => {
    const text = lines + last
    lines = ''
    writtenAt = performance.now()
    return text === '' ? writing : inOrder(() => append(text))
  }
  const look = () => {
    lines += recorder.take()
    if (lines.length < manyLines && performance.now() - writtenAt < writeMs) return
    write()
    const { bytes = 0, start = 0 } = parts.at(-1) ?? {}
    if (parts.length > 0 && bytes - start > mostBytes / fewParts && recorder.beginPart()) beginPart()
  }
  const timer = setInterval(look, takeMs).unref()
  beginPart()

  return {
    path,
    copy: async sandbox => {
      await write()
      if (problem !== undefined) throw problem
      const files = parts.map(({ file }) => readFile(file))
      const whole = Buffer.concat([...(await Promise.all(files)), await compress('{"end":true}\n')])
      return sandbox === '*' ? whole : packBox(boxOfSandbox(await unpackBox(whole), sandbox))
    },
    note: recorder.note,
    end: async isKept => {
      clearInterval(timer)
      await write(recorder.end())
      const [first, ...others] = parts
      if (isKept && first !== undefined)
        await inOrder(async () => {
          for (const { file } of others) await appendFile(first.file, await readFile(file))
          await rename(first.file, path)
        })
      for (const { file } of parts) await rm(file, { force: true }).catch(() => {})
      return problem === undefined ? undefined : `${path} cannot be written (${explainFileError(problem)})`
    },
  }
}
