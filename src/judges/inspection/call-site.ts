import type { Call } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { ShowText } from './conceal.ts'

/** The headers that may name the place in a client's code, the most precise first. */
const siteHeaders = ['x-call-site', 'referer', 'user-agent'] as const

/** Masked before it is cut: half a key would not be found. */
export function callSite({ headers }: Call, text: ShowText): string {
  for (const name of siteHeaders) {
    const value = headerValue(headers, name)
    if (typeof value === 'string' && value !== '') return `${clip(text(value))} (${name})`
  }
  return 'an unnamed client'
}
