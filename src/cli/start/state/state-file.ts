import { readlink, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { SandboxesSnapshot } from '../../../control/snapshot/saved.ts'
import { explainFileError } from '../../../doors/disk/read-text.ts'
import { type FailedLoading, failed, type Loading } from '../load/loading.ts'
import { withChecksum } from './checksum.ts'
import { describeOwner } from './lock-owner.ts'
import { isMissing, readState } from './read-state.ts'
import { type Held, lockState, type StateLock } from './state-lock.ts'
import { type Copy, writeElsewhere } from './write-elsewhere.ts'
import { type Written, writeWholeFile } from './write-whole-file.ts'

export interface StateFile {
  /** The path as the user typed it. */
  readonly name: string
  /** The absolute path of the file itself. */
  readonly path: string
  /** The content. Undefined if the file does not exist yet. */
  readonly snapshot: SandboxesSnapshot | undefined
  /** See `writeWholeFile`. */
  readonly write: (pieces: () => Iterable<string>) => Promise<Written>
  /** See `writeElsewhere`. */
  readonly writeElsewhere: (pieces: () => Iterable<string>) => Promise<Copy>
  /** Unlocks the file for other servers. */
  readonly release: () => Promise<void>
}

/** `isTaken`: the file is fine, but another server uses it. */
export type Opening<T> = Loading<T> | (FailedLoading & { readonly isTaken: true })

/** Another server has taken the file over, so this one must not write it. */
export class StateTaken extends Error {}

/**
 * Locks and reads a state file without changing it. `source` is the flag that names it. `onNotice` receives the reason for a
 * wait of some seconds.
 */
export async function openStateFile(
  name: string,
  source: string,
  pid: number,
  onNotice: (text: string) => void = () => {},
): Promise<Opening<StateFile>> {
  // Write to the target of a link instead of replacing the link.
  const path = await realpath(name).catch(() => targetOfLink(name))
  const [directory, base] = [dirname(path), basename(path)]
  let lock: StateLock | Held
  const onWait = () =>
    onNotice(`${name} has a lock from another container or machine. Waiting up to 5 s for a sign of life.`)
  try {
    lock = await lockState(directory, base, { owner: describeOwner(pid), onWait })
  } catch (error) {
    // If the file cannot be read either, that is the better complaint.
    const reading = await readState(name, path, source)
    return reading.ok ? cannotWrite(directory, source, error) : reading
  }
  if (!lock.ok) return { ...failed(refuseHeld(name, lock)), isTaken: true }
  const reading = await readState(name, path, source)
  if (!reading.ok) {
    await lock.release()
    return reading
  }
  const temporary = join(directory, `${base}.${lock.id}.tmp`)
  const { confirm, release } = lock
  const write: StateFile['write'] = async pieces => {
    const held = await confirm()
    if (held !== undefined) throw new StateTaken(`another pet-mock uses it now, ${describeHolder(held)}`)
    return writeWholeFile(path, temporary, () => withChecksum(pieces()))
  }
  const value: StateFile = {
    name,
    path: resolve(path),
    snapshot: reading.value,
    write,
    writeElsewhere: pieces => writeElsewhere(base, () => withChecksum(pieces())),
    release,
  }
  return { ok: true, value }
}

/** The path that a dangling link points to. */
async function targetOfLink(name: string): Promise<string> {
  const target = await readlink(name).catch(() => undefined)
  return target === undefined ? name : resolve(dirname(name), target)
}

function cannotWrite(directory: string, source: string, error: unknown): FailedLoading {
  const where = directory === '.' ? 'the current directory' : directory
  const reason = isMissing(error) ? 'no such directory' : explainFileError(error)
  return failed(`${source}: cannot write to ${where} (${reason})`)
}

function refuseHeld(name: string, held: Held): string {
  const holder = describeHolder(held)
  return `${name} is in use by another pet-mock, ${holder}. Stop it, or use another file. If ${holder} is not a pet-mock, delete ${held.lock}.`
}

function describeHolder({ pid, host }: Held): string {
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`
}
