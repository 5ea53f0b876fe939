import type { Call } from '../../../service/call/call.ts'
import { headerValue } from '../../../service/call/headers.ts'

/** Whether a call reads: GET or HEAD. */
export function isReading({ method }: Pick<Call, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a person opens an address in a browser. Programs and the scripts of pages do not. */
export function wantsPage(call: Pick<Call, 'method' | 'headers'>): boolean {
  const accept = headerValue(call.headers, 'accept')
  if (!isReading(call) || typeof accept !== 'string' || !/\btext\/html\b/i.test(accept)) return false
  // Browsers send it to this machine and over HTTPS only.
  const mode = headerValue(call.headers, 'sec-fetch-mode')
  return mode === undefined || mode === 'navigate'
}
