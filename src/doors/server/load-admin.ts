import { isLoopback } from '../../base/text/loopback.ts'
import type { AdminOptions, AdminPlane } from '../admin/plane.ts'
import { version } from './version.ts'

/** Makes the admin plane of a server that listens on an address. */
export type LoadAdminPlane = (address: string) => Promise<AdminPlane>

/** A name for one run of a server, no secret. `crypto.randomUUID` would add 3 ms to a start. */
export function nameRun(): string {
  return Math.random().toString(16).slice(2).padEnd(13, '0').slice(0, 13)
}

/** Calls back after `ms` milliseconds of real time. Returns a function that cancels. */
export function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

/** The admin plane of a server or a page. It is imported at its first call, with everything it needs. */
export function lateAdminPlane(
  options: Omit<AdminOptions, 'version' | 'start' | 'isExposed'>,
  start = nameRun(),
): LoadAdminPlane {
  return async address => {
    const { createAdminPlane } = await import('../admin/plane.ts')
    return createAdminPlane({ ...options, version, start, isExposed: !isLoopback(address) })
  }
}
