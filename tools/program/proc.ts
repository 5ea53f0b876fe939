import { readFileSync } from 'node:fs'

/** Milliseconds of a clock tick: Linux tells all programs of 100 in a second, whatever it counts in itself. */
const tickMs = 10

/**
 * Milliseconds that a process has had a core for, all its threads together; undefined where the system has no /proc.
 * What else runs on the machine slows a server down, but hardly adds to this.
 */
export function cpuTime(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything; user and system time are the 12th and 13th field behind it.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * tickMs
}

/** Bytes of the machine's memory that a process takes; undefined where the system has no /proc. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
}
