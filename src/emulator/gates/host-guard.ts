import { clip, quote } from '../../service/call/echo.ts'
import { repeated } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'

export type HostGuard = (host: string | typeof repeated | undefined) => Reason | undefined

/** RFC 3986, section 3.2.2: other characters could break the links that contain the name. */
const hostAndPort = /^(\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i
const alwaysAllowed = /^(?:(?:.+\.)?localhost|\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

/**
 * Refuses foreign host names (A22): a page can point its own name at 127.0.0.1 (DNS rebinding), and would then be
 * same-origin with the emulator. An IP literal cannot be rebound.
 */
export function createHostGuard(allowed: readonly string[] | '*'): HostGuard {
  const names = new Set(allowed === '*' ? [] : allowed.map(name => name.toLowerCase()))
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
    if (allowed !== '*' && !alwaysAllowed.test(name) && !names.has(name)) {
      const remedy = `Start pet-mock with --allowed-hosts ${clip(name)} to allow it.`
      return { code: 'host_not_allowed', message: `The host ${quote(name)} is not allowed. ${remedy}` }
    }
    lastAccepted = host
    return undefined
  }
}
