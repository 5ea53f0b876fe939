import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { quote } from '../../service/call/echo.ts'
import { repeated } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'
import type { Forwarded } from './caller.ts'

export interface ApiAddress {
  /** The URL that stands for `/v1`, with the host that the call named. Without a host it is a path. */
  readonly base: string
  /** What replaces `/v1` at the start of `Location`; undefined for nothing. */
  readonly moved: string | undefined
}

/**
 * Reads the address of the API from a call. `baseUrl`: that of all calls. `host`: undefined if the call names none. Caches the
 * last one: clients send the same host with every call.
 */
export function createAddressReader(baseUrl: string | undefined) {
  let last:
    | { readonly scheme: string; readonly host: string | undefined; readonly address: ApiAddress }
    | undefined
  return (scheme: Call['scheme'], host: string | undefined, forwarded: Forwarded | undefined): ApiAddress => {
    if (forwarded !== undefined) return readAddress(baseUrl, scheme, host, forwarded)
    if (last !== undefined && last.host === host && last.scheme === scheme) return last.address
    last = { scheme, host, address: readAddress(baseUrl, scheme, host, undefined) }
    return last.address
  }
}

function readAddress(
  baseUrl: string | undefined,
  scheme: Call['scheme'],
  host: string | undefined,
  forwarded: Forwarded | undefined,
): ApiAddress {
  if (baseUrl !== undefined) return { base: baseUrl, moved: baseUrl }
  if (forwarded === undefined)
    return { base: host === undefined ? '/v1' : `${scheme}://${host}/v1`, moved: undefined }
  const { prefix } = forwarded
  const seen = typeof forwarded.host === 'string' ? forwarded.host : host
  const origin = seen === undefined ? '' : `${forwarded.scheme ?? scheme}://${seen}`
  const base = `${origin}${prefix}/v1`
  return { base, moved: prefix === '' ? undefined : base }
}

/** Moves the `Location` of an answer to the address that clients use. */
export function moveLocation(answer: Answer, moved: string | undefined): Answer {
  const location = answer.headers?.Location
  if (moved === undefined || location === undefined || !/^\/v1(?:[/?#]|$)/.test(location)) return answer
  return { ...answer, headers: { ...answer.headers, Location: moved + location.slice('/v1'.length) } }
}

export type HostGuard = (host: string | typeof repeated | undefined) => Reason | undefined

/** RFC 3986, section 3.2.2: other characters could break the links that contain the name. */
const hostAndPort = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i
const alwaysAllowed = /^(?:(?:.+\.)?localhost|\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/**
 * Refuses foreign host names (A22): a page can point its own name at 127.0.0.1 (DNS rebinding), and would then be
 * same-origin with the emulator. An IP literal cannot be rebound.
 */
export function createHostGuard(allowed: readonly string[] | '*'): HostGuard {
  const isNamed = createNameTest(allowed === '*' ? [] : allowed)
  // Clients send the same Host with every call.
  let lastAccepted: string | undefined
  return host => {
    // A call without Host is HTTP/1.0, which no browser speaks.
    if (host === undefined || host === lastAccepted) return undefined
    const name = host === repeated ? undefined : hostAndPort.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '')
    if (host === repeated || name === undefined) {
      const message = 'Send the Host header once, as a name or an address with an optional port.'
      return { code: 'bad_request', message }
    }
    if (allowed !== '*' && !alwaysAllowed.test(name) && !isNamed(name)) {
      // The flag takes no other names, and the others could mean something to a shell.
      const isPlain = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_])?$/.test(name)
      const remedy = isPlain ? ` Start pet-mock with --allowed-hosts ${name} to allow it.` : ''
      return { code: 'host_not_allowed', message: `The host ${quote(name)} is not allowed.${remedy}` }
    }
    lastAccepted = host
    return undefined
  }
}

export function checkHosts(check: HostGuard, hosts: Forwarded['hosts'] = []): Reason | undefined {
  for (const host of hosts) {
    const refusal = check(host)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** `.example.com` means that domain and all of its subdomains, as in Vite. */
function createNameTest(allowed: readonly string[]): (name: string) => boolean {
  const names = new Set(allowed.map(name => name.toLowerCase().replace(/^\./, '')))
  const endings = allowed.filter(name => name.startsWith('.')).map(name => name.toLowerCase())
  return name => names.has(name) || endings.some(ending => name.endsWith(ending))
}
