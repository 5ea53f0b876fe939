import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdtemp, readlink, realpath, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { formatComplaint } from '../../../control/files/complaint.ts'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import { codeOf, explainFileError, maxSnapshotBytes, readBytes } from '../../../library/files/read-file.ts'
import { type FailedLoading, failed, type LoadedBy, type Loading } from '../load/loading.ts'
import { describeOwner } from './lock-owner.ts'
import { type Held, lockState } from './state-lock.ts'
import { writeWholeFile } from './write-whole-file.ts'

export type StateFile = LoadedBy<typeof openStateFile>

/** Another server has taken the file over, so this one must not write it. */
export class StateTaken extends Error {}

/**
 * Locks and reads a state file. `name`: its path as the user typed it. `source`: its flag. `onNotice` gets the reason for a wait of
 * seconds. `isTaken`: the file is fine, but another server uses it. Its snapshot is undefined if it does not exist yet.
 */
export async function openStateFile(
  name: string,
  source: string,
  pid: number,
  onNotice: (text: string) => void = () => {},
) {
  // Write to the target of a link instead of replacing the link.
  const target = () => readlink(name).then(to => resolve(dirname(name), to))
  const path = await realpath(name)
    .catch(target)
    .catch(() => name)
  let lock: Awaited<ReturnType<typeof lockState>>
  const onWait = () =>
    onNotice(`${name} has a lock from another container or machine. Waiting up to 5 s for a sign of life.`)
  try {
    lock = await lockState(path, { owner: describeOwner(pid), onWait })
  } catch (error) {
    // If the file cannot be read either, that is the better complaint.
    const reading = await readState(name, path, source)
    return reading.ok ? cannotWrite(dirname(path), source, error) : reading
  }
  if (!lock.ok) return { ...failed(refuseHeld(name, lock)), isTaken: true as const }
  const reading = await readState(name, path, source)
  if (!reading.ok) {
    await lock.release()
    return reading
  }
  const { confirm, release, temporary } = lock
  const writeAt = (to: string, temporary: string, pieces: () => Iterable<string>) =>
    writeWholeFile(to, temporary, () => withChecksum(pieces()), 0o600)
  /** See `writeWholeFile`. Rejects with StateTaken if another server has taken the file over. */
  const write = async (pieces: () => Iterable<string>) => {
    const held = await confirm()
    if (held !== undefined) throw new StateTaken(`another pet-mock uses it now, ${describeHolder(held)}`)
    return writeAt(path, temporary, pieces)
  }
  /**
   * Writes what cannot be saved at its own place to the system's temporary directory, in a new directory that only this
   * user can read. Rejects with Node's system error.
   */
  const writeElsewhere = async (pieces: () => Iterable<string>) => {
    const directory = await mkdtemp(join(tmpdir(), 'pet-mock-state-'))
    const copy = join(directory, basename(path))
    try {
      await writeAt(copy, `${copy}.tmp`, pieces)
      return copy
    } catch (error) {
      await rm(directory, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  }
  const { value: snapshot } = reading
  return {
    ok: true as const,
    value: { name, path: resolve(path), snapshot, write, writeElsewhere, release },
  }
}

function cannotWrite(directory: string, source: string, error: unknown): FailedLoading {
  const where = directory === '.' ? 'the current directory' : directory
  const reason = codeOf(error) === 'ENOENT' ? 'no such directory' : explainFileError(error)
  return failed(`${source}: cannot write to ${where} (${reason})`)
}

function refuseHeld(name: string, held: Held): string {
  const holder = describeHolder(held)
  return `${name} is in use by another pet-mock, ${holder}. Stop it, or use another file. If ${holder} is not a pet-mock, delete ${basename(held.lock)}.`
}

function describeHolder({ pid, host }: Held): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}

/**
 * Reads a state file, or lists everything that is wrong with it. Undefined if it does not exist yet. `name`: the path as
 * the user typed it. `source`: the flag that names it.
 */
export async function readState(
  name: string,
  path: string,
  source: string,
): Promise<Loading<SandboxesSnapshot | undefined>> {
  let bytes: Buffer
  try {
    bytes = await readBytes(path, maxSnapshotBytes)
    if (!isUtf8(bytes)) throw new Error('it is not UTF-8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { ok: true, value: undefined }
    return failed(`${source}: ${name} cannot be read (${explainFileError(error)})`)
  }
  const { readSnapshotFile } = await import('../../../control/scenario/read/read-snapshot.ts')
  const reading = await readSnapshotFile(name, bytes.toString())
  // Older files have no checksum. In a damaged one, the field may no longer be where it was written.
  const isRight = hasRightChecksum(bytes) ?? !(reading.ok && reading.value.checksum !== undefined)
  if (reading.ok && isRight) return reading
  const complaints = reading.ok ? [] : reading.complaints.map(formatComplaint)
  const damaged = `${name} is damaged or was edited: its checksum does not match. If you edited it, remove the field checksum at its end.`
  const advice = `${name} was not changed. Delete it to start over, or use another file.`
  return failed(...complaints, ...(isRight ? [] : [damaged]), advice)
}

/** How the checksum ends a file: the last field of its JSON. It covers every byte before. */
const ending = /,\n"checksum":"([0-9a-f]{64})"\}\n$/
const endingLength = ',\n"checksum":""}\n'.length + 64

/** Adds a checksum to the pieces of a JSON object, as its last field. The last piece must end with `}` and a newline. */
export function* withChecksum(pieces: Iterable<string>): Generator<string> {
  const hash = createHash('sha256')
  let piece = ''
  for (const next of pieces) {
    hash.update(piece)
    yield piece
    piece = next
  }
  const end = piece.replace(/\}\n$/, '')
  yield `${end},\n"checksum":"${hash.update(end).digest('hex')}"}\n`
}

/** Whether the checksum that ends a file is the one of its bytes. Undefined if no checksum ends it. */
function hasRightChecksum(bytes: Buffer): boolean | undefined {
  const start = Math.max(0, bytes.length - endingLength)
  const [, written] = ending.exec(bytes.toString('latin1', start)) ?? []
  if (written === undefined) return undefined
  return createHash('sha256').update(bytes.subarray(0, start)).digest('hex') === written
}
