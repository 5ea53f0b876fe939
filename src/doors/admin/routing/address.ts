import { readTarget } from '../../../service/call/target.ts'

/** The admin plane's base path, outside the API's. */
export const adminPath = '/__admin'

/** Whether a request target is the admin plane's. It runs for every call, so it compares before it parses. */
export function isAdminTarget(target: string): boolean {
  const path = target.startsWith('/') ? target : readTarget(target).path
  if (!path.startsWith(adminPath)) return false
  const next = path[adminPath.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}
