import { isUtf8 } from 'node:buffer'
import { open, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { explainFileError } from '../disk/read-text.ts'
import { formatComplaint } from '../files/complaint.ts'
import type { SandboxesSnapshot } from '../snapshot/saved.ts'
import type { Loading } from './load-scenario.ts'
import { writeWholeFile } from './whole-file.ts'

export interface StateFile {
  /** As the user named it. */
  readonly name: string
  /** What it holds; undefined when there is no such file yet. */
  readonly snapshot: SandboxesSnapshot | undefined
  /** See `writeWholeFile`. */
  readonly write: (pieces: () => Iterable<string>) => Promise<number>
}

/**
 * Reads a state file, if it is there, and makes sure that it can be written; nothing of it is changed. `source` is the
 * flag that named it, `pid` the number of this process.
 */
export async function openStateFile(name: string, source: string, pid: number): Promise<Loading<StateFile>> {
  // What a link leads to is written, not put in the link's place.
  const path = await realpath(name).catch(() => name)
  const [directory, base] = [dirname(path), basename(path)]
  const temporary = join(directory, `${base}.${pid}.tmp`)
  let text: string | undefined
  try {
    text = await readIfThere(path)
  } catch (error) {
    return { ok: false, complaints: [`${source}: ${name} cannot be read (${explainFileError(error)})`] }
  }
  const reading = text === undefined ? undefined : await readState(name, text)
  if (reading?.ok === false) return reading
  try {
    await removeLeftovers(directory, base)
    await (await open(temporary, 'w')).close()
    await rm(temporary)
  } catch (error) {
    const where = directory === '.' ? 'the working directory' : directory
    const reason = isMissing(error) ? 'there is no such directory' : explainFileError(error)
    return { ok: false, complaints: [`${source}: nothing can be written into ${where} (${reason})`] }
  }
  const write: StateFile['write'] = pieces => writeWholeFile(path, temporary, pieces)
  return { ok: true, value: { name, snapshot: reading?.value, write } }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(path)
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
    return bytes.toString()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function readState(name: string, text: string): Promise<Loading<SandboxesSnapshot>> {
  const { readSnapshotFile } = await import('../scenario/read-snapshot.ts')
  const reading = await readSnapshotFile(name, text)
  if (reading.ok) return reading
  const advice = `${name} is left as it is. Remove it to start anew, or name another file.`
  return { ok: false, complaints: [...reading.complaints.map(formatComplaint), advice] }
}

/** What a process that was killed while it wrote has left behind. */
async function removeLeftovers(directory: string, base: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = name.startsWith(`${base}.`) && /^\.(\d+)\.tmp$/.exec(name.slice(base.length))?.[1]
    if (pid && !isRunning(Number(pid))) await rm(join(directory, name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
