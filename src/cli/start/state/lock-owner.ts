import { readFileSync, readlinkSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { codeOf } from '../../../library/files/read-file.ts'

/** A process that locks a file, as others can find it. */
export interface LockOwner {
  readonly pid: number
  readonly host: string
  /** Where its process id is unique: a container, or a machine since its start. Undefined if the system does not say. */
  readonly space?: string | undefined
  /** See `birthOf`. */
  readonly born: string
}

export function describeOwner(pid: number): LockOwner {
  return { pid, host: hostname(), space: spaceOfProcesses(), born: birthOf(pid) ?? '' }
}

/** Whether an owner runs. Undefined if `own` cannot see its process. */
export function isAlive(owner: LockOwner, own: LockOwner): boolean | undefined {
  if (owner.space === undefined || owner.space !== own.space) return undefined
  const born = birthOf(owner.pid)
  if (born === undefined) return false
  // Its id may have been given to another process since.
  return owner.born === '' || born === '' || owner.born === born
}

function spaceOfProcesses(): string | undefined {
  if (process.platform !== 'linux') {
    const addresses = Object.values(networkInterfaces()).flatMap(all => (all ?? []).map(({ mac }) => mac))
    return [hostname(), ...new Set(addresses.toSorted())].join(' ')
  }
  const boot = bootId()
  const space = valueOrNothing(() => readlinkSync('/proc/self/ns/pid'))
  const seen = valueOrNothing(() => readlinkSync('/proc/self'))
  // /proc may show the processes of another container.
  return boot === undefined || space === undefined || seen !== `${process.pid}`
    ? undefined
    : `${boot} ${space}`
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * When a process began, as a text that no other process with this id has. Empty where the system does not say (Linux
 * does). Undefined if no such process runs; a zombie does not.
 */
export function birthOf(pid: number): string | undefined {
  if (!isRunning(pid)) return undefined
  const boot = bootId()
  const stat = readStat(pid)
  if (boot === undefined || stat === undefined) return ''
  return stat.state === 'Z' ? undefined : `${boot} ${stat.began}`
}

/** Reads `/proc/PID/stat`: its fields follow the program name, which is in parentheses and may contain any character (proc(5)). */
export function readStat(pid: number | string) {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  const [state, , group, session, , foreground, ...others] =
    stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return stat === undefined ? undefined : { state, group, session, foreground, began: others[13] }
}

/** Another one after each start of the machine. */
function bootId(): string | undefined {
  return readOrNothing('/proc/sys/kernel/random/boot_id')?.trim()
}

function readOrNothing(path: string): string | undefined {
  return valueOrNothing(() => readFileSync(path, 'latin1'))
}

function valueOrNothing(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
