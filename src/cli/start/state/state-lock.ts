import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Lock =
  | { readonly ok: true; readonly release: () => Promise<void> }
  /** Another process holds the file named `lock`. */
  | { readonly ok: false; readonly pid: number; readonly lock: string }

/**
 * Locks a state file by a file beside it, whose name has the process id and whose text says when the process began. Only
 * locks of dead processes are removed. So of two servers that start at once both may be refused, but never both accepted.
 * Rejects with Node's system error if the directory cannot be written.
 */
export async function lockState(directory: string, base: string, pid: number): Promise<Lock> {
  const own = join(directory, `${base}.${pid}.lock`)
  await writeFile(own, (await birthOf(pid)) ?? '')
  const release = () => rm(own, { force: true })
  for (const name of await readdir(directory)) {
    const [, number, kind] =
      (name.startsWith(`${base}.`) && /^\.(\d+)\.(tmp|lock)$/.exec(name.slice(base.length))) || []
    if (number === undefined || Number(number) === pid) continue
    const path = join(directory, name)
    if (!(await isHeld(path, Number(number)))) await rm(path, { force: true })
    else if (kind === 'lock') {
      await release()
      return { ok: false, pid: Number(number), lock: name }
    }
  }
  return { ok: true, release }
}

/** Whether the process that created the file still runs, and its id was not given to another process. */
async function isHeld(path: string, pid: number): Promise<boolean> {
  const born = await birthOf(pid)
  if (born === undefined || !path.endsWith('.lock')) return born !== undefined
  const written = await readFile(path, 'utf8').catch(() => '')
  // An empty file may have been created just now.
  return written === '' || born === '' || written === born
}

/** Whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * When a process began, as a text that no other process with this id has. Empty where the system does not say (Linux
 * does). Undefined if no such process runs; a zombie does not.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined
  const read = (path: string) => readFile(path, 'latin1').catch(() => undefined)
  const [boot, stat] = await Promise.all([read('/proc/sys/kernel/random/boot_id'), read(`/proc/${pid}/stat`)])
  if (boot === undefined || stat === undefined) return ''
  // proc_pid_stat(5): fields 3 to 52 follow the program name, which is in parentheses and may contain any character.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? undefined : `${boot.trim()} ${fields[18]}`
}
