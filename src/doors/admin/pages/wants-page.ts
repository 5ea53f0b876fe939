import type { Call } from '../../../service/call/call.ts'
import { headerValue } from '../../../service/call/headers.ts'

/** Whether a call reads: GET or HEAD. */
export function isReading({ method }: Pick<Call, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a person opens an address in a browser. Programs and the scripts of pages do not. */
export function wantsPage(call: Pick<Call, 'method' | 'headers'>): boolean {
  return isReading(call) && acceptsPage(call) && opensPage(call)
}

/** Whether a browser shows the answer as a page, or runs it as a service worker. */
export function opensPage(call: Pick<Call, 'headers'>): boolean {
  if (headerValue(call.headers, 'service-worker') !== undefined) return true
  // Browsers send it to this machine and over HTTPS only.
  const mode = headerValue(call.headers, 'sec-fetch-mode')
  return mode === undefined ? acceptsPage(call) : mode === 'navigate'
}

function acceptsPage({ headers }: Pick<Call, 'headers'>): boolean {
  const accept = headerValue(headers, 'accept')
  return typeof accept === 'string' && /\btext\/html\b/i.test(accept)
}
