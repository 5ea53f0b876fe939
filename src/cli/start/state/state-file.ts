import { isUtf8 } from 'node:buffer'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { formatComplaint } from '../../../control/files/complaint.ts'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import type { Loading } from '../load/load-scenario.ts'
import { type Claim, claimState } from './state-claim.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface StateFile {
  /** As the user named it. */
  readonly name: string
  /** What it holds; undefined when there is no such file yet. */
  readonly snapshot: SandboxesSnapshot | undefined
  /** See `writeWholeFile`. */
  readonly write: (pieces: () => Iterable<string>) => Promise<number>
  /** Lets another server have it. */
  readonly release: () => Promise<void>
}

/** What opening a state file comes to; `isTaken`: nothing is wrong, but another server keeps it. */
export type Opening<T> =
  | Loading<T>
  | { readonly ok: false; readonly complaints: readonly string[]; readonly isTaken: true }

/**
 * Claims a state file, if no other server keeps it, and reads it, if it is there; nothing of it is changed. `source` is
 * the flag that named it, `pid` the number of this process.
 */
export async function openStateFile(name: string, source: string, pid: number): Promise<Opening<StateFile>> {
  // What a link leads to is written, not put in the link's place.
  const path = await realpath(name).catch(() => whereLinkLeads(name))
  const [directory, base] = [dirname(path), basename(path)]
  let claim: Claim
  try {
    claim = await claimState(directory, base, pid)
  } catch (error) {
    // Of a path that leads nowhere it is told that nothing can be read there.
    const reading = await readState(name, path, source)
    return reading.ok ? cannotWrite(directory, source, error) : reading
  }
  if (!claim.ok) return { ok: false, complaints: [tellTaken(name, claim)], isTaken: true }
  const reading = await readState(name, path, source)
  if (!reading.ok) {
    await claim.release()
    return reading
  }
  const temporary = join(directory, `${base}.${pid}.tmp`)
  const write: StateFile['write'] = pieces => writeWholeFile(path, temporary, pieces)
  return { ok: true, value: { name, snapshot: reading.value, write, release: claim.release } }
}

/** Also where nothing is yet. */
async function whereLinkLeads(name: string): Promise<string> {
  const target = await readlink(name).catch(() => undefined)
  return target === undefined ? name : resolve(dirname(name), target)
}

function cannotWrite(directory: string, source: string, error: unknown): Loading<never> {
  const where = directory === '.' ? 'the working directory' : directory
  const reason = isMissing(error) ? 'there is no such directory' : explainFileError(error)
  return { ok: false, complaints: [`${source}: nothing can be written into ${where} (${reason})`] }
}

function tellTaken(name: string, { pid, lock }: Claim & { readonly ok: false }): string {
  return `${name} is kept by another pet-mock, process ${pid}. Stop that one, or give this one a file of its own. (If process ${pid} is no pet-mock, remove ${lock}.)`
}

/** Undefined when there is no such file yet. */
async function readState(
  name: string,
  path: string,
  source: string,
): Promise<Loading<SandboxesSnapshot | undefined>> {
  let text: string | undefined
  try {
    text = await readIfThere(path)
  } catch (error) {
    return { ok: false, complaints: [`${source}: ${name} cannot be read (${explainFileError(error)})`] }
  }
  return text === undefined ? { ok: true, value: undefined } : await readSnapshot(name, text)
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

async function readSnapshot(name: string, text: string): Promise<Loading<SandboxesSnapshot>> {
  const { readSnapshotFile } = await import('../../../control/scenario/read-snapshot.ts')
  const reading = await readSnapshotFile(name, text)
  if (reading.ok) return reading
  const advice = `${name} is left as it is. Remove it to start anew, or name another file.`
  return { ok: false, complaints: [...reading.complaints.map(formatComplaint), advice] }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
