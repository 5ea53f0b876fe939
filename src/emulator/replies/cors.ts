import { shellQuote } from '../../base/text/shell-quote.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'

export type CorsHeaders = (headers: readonly string[]) => Readonly<Record<string, string>> | undefined

const loopbackOrigin = /^https?:\/\/(?:(?:[^:/]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** The headers that a page may read. A browser hides all others, on errors too (A19). */
const exposed = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'Link',
  'Location',
  'Deprecation',
  'Sunset',
  'Date',
  'X-Pet-Mock',
  'Preference-Applied',
].join(', ')

/**
 * The headers that let a page of an allowed origin read a reply: loopback origins unless others are listed (A19). A
 * browser gives no reason for a refusal, so `onNotice` gets one, once for each origin.
 */
export function createCors(
  allowed: readonly string[] | '*' | undefined,
  onNotice: (text: string) => void,
): CorsHeaders {
  const reported = new Set<string>()
  const report = (origin: string) => {
    if (reported.has(origin) || reported.size >= mostReported) return
    reported.add(origin)
    const shown = clip(origin, longestOrigin)
    onNotice(`A page from the origin ${shown} called, but its browser blocks the reply.${remedyFor(origin)}`)
  }
  const varying = { Vary: 'Origin' }
  const any = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
  return headers => {
    if (allowed === '*') return any
    const origin = headerValue(headers, 'origin')
    if (typeof origin !== 'string') return varying
    if (!(allowed === undefined ? loopbackOrigin.test(origin) : allowed.includes(origin))) {
      report(origin)
      return varying
    }
    return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed, ...varying }
  }
}

/** Browsers send shorter ones. */
const longestOrigin = 300

/** A command line to paste. Only if the flag takes the origin: any client can send a header that looks like one. */
function remedyFor(origin: string): string {
  const value = origin === 'null' ? '*' : origin
  if (value !== '*' && (value.length > longestOrigin || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+$/i.test(value)))
    return ''
  return ` Start pet-mock with --cors ${shellQuote(value)} to allow it.`
}

/** Bounds the memory of a client that sends a new origin with each call. */
const mostReported = 20

/** The headers of an answer to an allowed preflight. */
export function preflightHeaders(methods: string): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Prefer',
    'Access-Control-Max-Age': '600',
  }
}
