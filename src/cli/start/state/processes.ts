import { readFile } from 'node:fs/promises'

/** Whether a process of this number runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * When the process of a number began, as a text that no other process of that number has, or an empty one where the
 * system does not tell (Linux does); undefined when none runs. One that has ended, which nobody has been told of, does
 * not.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined
  const read = (path: string) => readFile(path, 'latin1').catch(() => undefined)
  const [boot, stat] = await Promise.all([read('/proc/sys/kernel/random/boot_id'), read(`/proc/${pid}/stat`)])
  if (boot === undefined || stat === undefined) return ''
  // proc_pid_stat(5): the program's name stands in parentheses and may hold any character; fields 3 to 52 follow.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' ? undefined : `${boot.trim()} ${fields[18]}`
}
