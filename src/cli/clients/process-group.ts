import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Windows has no process groups, and no signals that a program can handle. */
export const hasGroups = process.platform !== 'win32'

/** How long processes may take to end after SIGTERM, in milliseconds. */
const graceMs = 2_000
/** How often to look whether they ended, in milliseconds. */
const lookMs = 10

/**
 * Ends all processes of a command's group: SIGTERM, and SIGKILL for what still runs after the grace time or once
 * `hurry` aborts. Processes that left the group run on.
 */
export async function endGroup(pid: number, hurry?: AbortSignal): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return
  const end = performance.now() + graceMs
  while (performance.now() < end && hurry?.aborted !== true) {
    if (!isRunning(pid)) return
    await sleep(lookMs)
  }
  signalGroup(pid, 'SIGKILL')
}

/** Sends a signal to a group. Returns false if no process got it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    if (!hasGroups && signal !== 0 && endTree(pid)) return true
    return process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    return false
  }
}

/** Ends a process of Windows with those that it started: npm is a script there, whose shell would end alone. */
function endTree(pid: number): boolean {
  return spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' }).status === 0
}

/** Ended processes may stay in a group: in a container, often nobody waits for orphans. */
function isRunning(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some(name => /^\d+$/.test(name) && isRunningMember(name, `${pid}`))
}

/** Reads `/proc/PID/stat`: process id, name in parentheses, state, parent, group (proc(5)). */
function isRunningMember(name: string, group: string): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return itsGroup === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
