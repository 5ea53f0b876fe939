import type { Call } from '../../../service/call/call.ts'
import { readTarget } from '../../../service/call/target.ts'

/**
 * What a call needs to get in, besides a host of this machine:
 *
 * - `plane`: the token, if there is one, and no page of another origin.
 * - `health`: the same, but a caller without a token sees a part.
 * - `file`: no page of another origin.
 * - `page`: the same, but any site may lead a browser there.
 * - `frame`: the same, but any site may also frame it; `frame-ancestors` says which may show it.
 * - `script`: nothing.
 */
export type Access = 'plane' | 'health' | 'file' | 'page' | 'frame' | 'script'

/** The admin plane's base path, outside the API's. */
export const adminPath = '/__admin'

/** Whether a request target is the admin plane's. It runs for every call, so it compares before it parses. */
export function isAdminTarget(target: string): boolean {
  const path = target.startsWith('/') ? target : readTarget(target).path
  if (!path.startsWith(adminPath)) return false
  const next = path[adminPath.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}

/** Needs no token: Docker and load balancers have none. */
export function isHealth({ method, target }: Call): boolean {
  return (method === 'GET' || method === 'HEAD') && readTarget(target).path === `${adminPath}/health`
}

/** What anyone may know about a server. `start` names its run. */
export function publicHealth(start: string) {
  return { status: 'ok', name: 'pet-mock', start }
}
