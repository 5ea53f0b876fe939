import { checkHosts, createHostGuard } from '../../emulator/gates/api-address.ts'
import { readForwarded } from '../../emulator/gates/caller.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { readCredential } from '../../service/keys/credential.ts'
import type { Access } from './routing/address.ts'

export interface GuardOptions {
  readonly allowedHosts: readonly string[] | '*'
  readonly token: string | undefined
  /** Whether other machines can reach the plane, which then requires a token. */
  readonly isExposed: boolean
  /** Whether to believe `Forwarded` and `X-Forwarded-*`. */
  readonly trustProxy?: boolean
}

/** Who makes a call, or why it is refused. A caller without a token may see the public part of the server's health. */
export type Caller = 'user' | 'anyone' | { readonly refused: Answer }

/**
 * Keeps everybody but this machine's user out: host names of DNS rebinding attacks (A22), pages of other origins, which
 * could send changes without reading replies, and other machines without a token.
 */
export function createGuard({ allowedHosts, token, isExposed, trustProxy = false }: GuardOptions) {
  const checkHost = createHostGuard(allowedHosts)
  return (call: Call, access: Access): Caller => {
    const host = readTarget(call.target).authority ?? headerValue(call.headers, 'host')
    const forwarded = trustProxy ? readForwarded(call.headers) : undefined
    const denied = checkHost(host) ?? checkHosts(checkHost, forwarded?.hosts)
    if (denied !== undefined) return { refused: refuse(denied.code, denied.message) }
    const name = forwarded?.host ?? host
    const elsewhere = isOpenToPages(call, access)
      ? undefined
      : checkOrigin(call.headers, typeof name === 'string' ? name : '')
    if (elsewhere !== undefined) return { refused: elsewhere }
    if (access !== 'plane' && access !== 'health') return 'anyone'
    const refused = checkToken(call.headers, token, isExposed || forwarded?.isLocal === false)
    if (refused === undefined) return 'user'
    return access === 'health' && readCredential(call.headers).kind === 'none' ? 'anyone' : { refused }
  }
}

/** Whether any page may make this call: it has no effect, and its response holds no data. */
function isOpenToPages({ method, headers }: Call, access: Access): boolean {
  if (access === 'script') return true
  if (access !== 'page' && access !== 'frame') return false
  if (method !== 'GET' && method !== 'HEAD') return false
  const isNavigation = headerValue(headers, 'sec-fetch-mode') === 'navigate'
  const target = headerValue(headers, 'sec-fetch-dest')
  return isNavigation && (target === 'document' || (access === 'frame' && target === 'iframe'))
}

/** Accepts only pages from the host that they call: the plane's own. */
function checkOrigin(headers: readonly string[], host: string): Answer | undefined {
  const origin = headerValue(headers, 'origin')
  if (origin !== undefined) {
    const authority = typeof origin === 'string' ? /^https?:\/\/(.+)$/i.exec(origin)?.[1] : undefined
    const isNamed = typeof origin === 'string' && origin !== 'null'
    const name = isNamed ? JSON.stringify(origin) : 'unknown origin'
    if (authority?.toLowerCase() !== host.toLowerCase())
      return refuse('origin_not_allowed', `Pages of ${name} may not use the admin plane. ${hint}`)
  }
  // A page that fetches without CORS sends no Origin, but its browser still sends this.
  const site = headerValue(headers, 'sec-fetch-site')
  if (site === undefined || site === 'same-origin' || site === 'same-site' || site === 'none')
    return undefined
  return refuse('origin_not_allowed', `Pages of other sites may not use the admin plane. ${hint}`)
}

const hint = 'Use a program such as curl, or type the address into the browser.'

const realm = 'Bearer realm="pet-mock admin"'

function checkToken(headers: readonly string[], token: string | undefined, isExposed: boolean) {
  if (token === undefined) {
    const message =
      'The admin plane is closed, because other machines can reach this server. Start pet-mock with --admin-token, or listen on 127.0.0.1.'
    return isExposed ? refuse('admin_plane_closed', message) : undefined
  }
  const credential = readCredential(headers)
  if (credential.kind === 'key' && equalsSecret(credential.text, token)) return undefined
  const isMissing = credential.kind === 'none'
  const message = isMissing
    ? 'The admin plane requires a token: send "Authorization: Bearer <the value of --admin-token>".'
    : 'The token is not the value of --admin-token.'
  const challenge = isMissing ? realm : `${realm}, error="invalid_token"`
  return refuse('invalid_admin_token', message, { 'WWW-Authenticate': challenge })
}

/** Compares in constant time, so that nobody can guess a secret letter by letter. */
export function equalsSecret(text: string, secret: string): boolean {
  let difference = text.length ^ secret.length
  for (let index = 0; index < text.length; index += 1) {
    difference |= text.charCodeAt(index) ^ secret.charCodeAt(index % secret.length)
  }
  return difference === 0
}
