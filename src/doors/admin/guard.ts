import { createHostGuard } from '../../emulator/gates/host-guard.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { equalsSecret } from './equals-secret.ts'

export interface GuardOptions {
  readonly allowedHosts: readonly string[] | '*'
  /** What a caller must show, if anything. */
  readonly token: string | undefined
  /** Whether other machines reach the plane: then nobody gets in without a token. */
  readonly isExposed: boolean
}

export type Guard = (call: Call) => Answer | undefined

/**
 * Keeps everybody out who is not this machine's user: names that lead here by DNS rebinding (A22), pages of other
 * origins, which could else change things without reading a reply, and, from other machines, whoever has no token.
 */
export function createGuard({ allowedHosts, token, isExposed }: GuardOptions): Guard {
  const checkHost = createHostGuard(allowedHosts)
  return call => {
    const host = readTarget(call.target).authority ?? headerValue(call.headers, 'host')
    return (
      checkHost(host) ??
      checkOrigin(call.headers, typeof host === 'string' ? host : '') ??
      checkToken(call.headers, token, isExposed)
    )
  }
}

/** Only a page of the plane's own comes from the host that it calls. */
function checkOrigin(headers: readonly string[], host: string): Answer | undefined {
  const origin = headerValue(headers, 'origin')
  if (origin !== undefined) {
    const authority = typeof origin === 'string' ? /^https?:\/\/(.+)$/i.exec(origin)?.[1] : undefined
    if (authority?.toLowerCase() !== host.toLowerCase())
      return refuse('origin_not_allowed', `Pages of ${nameOf(origin)} may not use the admin plane. ${who}`)
  }
  // Of a page that names no origin, as one that fetches without CORS, a browser still says whether it is of this site.
  const site = headerValue(headers, 'sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'same-site' || site === 'none')
    return undefined
  return refuse('origin_not_allowed', `Pages of other sites may not use the admin plane. ${who}`)
}

const who = 'It is for programs, such as curl, and for its own pages: to open one, type its address.'

function nameOf(origin: unknown): string {
  return typeof origin === 'string' && origin !== 'null' ? JSON.stringify(origin) : 'unknown origin'
}

const realm = 'Bearer realm="pet-mock admin"'

function checkToken(
  headers: readonly string[],
  token: string | undefined,
  isExposed: boolean,
): Answer | undefined {
  if (token === undefined) return isExposed ? closed() : undefined
  const credential = readCredential(headers)
  if (credential.kind === 'key' && equalsSecret(credential.text, token)) return undefined
  const isMissing = credential.kind === 'none'
  const message = isMissing
    ? 'The admin plane asks for a token: send "Authorization: Bearer <the value of --admin-token>".'
    : 'This is not the token of --admin-token.'
  const challenge = isMissing ? realm : `${realm}, error="invalid_token"`
  return refuse('invalid_admin_token', message, { 'WWW-Authenticate': challenge })
}

function closed(): Answer {
  const message =
    'Other machines can reach this server, so its admin plane is closed: start it with --admin-token, or listen on 127.0.0.1.'
  return refuse('invalid_admin_token', message, { 'WWW-Authenticate': realm })
}
