import type { AdminOptions } from '../admin/plane.ts'
import type { LoadAdminPlane } from './admin-door.ts'
import { isLoopback } from './loopback.ts'
import { version } from './version.ts'

/** The admin plane of a server. It is imported at its first call, with everything it needs. */
export function lateAdminPlane(options: Omit<AdminOptions, 'version' | 'isExposed'>): LoadAdminPlane {
  return async address => {
    const { createAdminPlane } = await import('../admin/plane.ts')
    return createAdminPlane({ ...options, version, isExposed: !isLoopback(address) })
  }
}
