import { readTarget } from '../../../service/call/target.ts'

/** Where the admin plane is: beside the API's own base path, so that no path of the API is taken from it. */
export const adminPath = '/__admin'

/** Bytes; a snapshot of a million pets comes in one piece. */
export const maxAdminBody = 268_435_456

/** Whether a request target is the admin plane's. Asked of every call, so it is a comparison or two. */
export function isAdminTarget(target: string): boolean {
  const path = target.startsWith('/') ? target : readTarget(target).path
  if (!path.startsWith(adminPath)) return false
  const next = path[adminPath.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}
