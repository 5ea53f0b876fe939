import type { Call } from '../../../service/call/call.ts'
import { readTarget } from '../../../service/call/target.ts'
import { adminPath } from './address.ts'

/** Needs no token: Docker and load balancers have none. */
export function isHealth({ method, target }: Call): boolean {
  return (method === 'GET' || method === 'HEAD') && readTarget(target).path === `${adminPath}/health`
}

/** What anyone may know about a server. `start` names its run. */
export function publicHealth(start: string) {
  return { status: 'ok', name: 'pet-mock', start }
}
