import type { ServedContract } from '../../../emulator/gates/open-areas.ts'
import { reply } from '../../../service/call/answer.ts'
import type { Call } from '../../../service/call/call.ts'
import { headerValue } from '../../../service/call/headers.ts'
import { adminPath } from '../routing/address.ts'

/** Whether a call reads: GET or HEAD. */
export function isReading({ method }: Pick<Call, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Whether a person opens an address in a browser. Programs and the scripts of pages do not. */
export function wantsPage(call: Pick<Call, 'method' | 'headers'>): boolean {
  return isReading(call) && acceptsPage(call) && opensPage(call)
}

/** Whether a browser shows the response as a page, or runs it as a service worker. */
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

/** Leads a person who opens the root of the server to the dashboard, which is no call of the API. Other calls are answered as before. */
export function leadToDashboard(contract: ServedContract): ServedContract {
  return (context, areas) => {
    const { call, target } = context
    if (target.path !== '/' || !wantsPage(call)) return contract(context, areas)
    // Relative: a proxy may have removed a prefix of the path.
    const headers = { Location: `.${adminPath}/`, 'Cache-Control': 'no-store' }
    return { ...reply(302, '', headers), isUnrecorded: true }
  }
}
