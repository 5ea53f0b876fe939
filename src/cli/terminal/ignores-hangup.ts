import { readFileSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import type { Environment } from './io.ts'

/**
 * Whether nohup started this process. Node itself makes a SIGHUP that its parent ignored end the process, so only other
 * traces of nohup are left: the shell puts the program that it starts in `_`, and on Linux, nohup replaces a terminal as
 * standard input by a file that cannot be read.
 */
export function ignoresHangup(env: Environment): boolean {
  if (posix.basename(env._ ?? '') === 'nohup') return true
  try {
    const [, mode] = /^flags:\s+\d*(\d)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8')) ?? []
    return Number(mode) % 4 === 1 && readlinkSync('/proc/self/fd/0') === '/dev/null'
  } catch {
    return false
  }
}
