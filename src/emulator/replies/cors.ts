import { shellQuote } from '../../base/text/shell-quote.ts'
import { type Answer, type Mismatch, reply } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'

/** Whose pages may read replies: those of listed origins and, unless it is off, those of loopback. `*`: all. */
export type AllowedOrigins = '*' | { readonly loopback: boolean; readonly listed: readonly string[] }

export const loopbackOnly: AllowedOrigins = { loopback: true, listed: [] }

/** What a browser may do with the reply to a call. */
export interface PageAccess {
  readonly headers: Readonly<Record<string, string>>
  /** Why the page may not read the reply. Undefined if it may, or if no page called. */
  readonly refusal: Mismatch | undefined
}

/** `proxyHost`: the host that a trusted proxy says the page called. */
export type ReadPageAccess = (headers: readonly string[], proxyHost?: unknown) => PageAccess

const loopbackOrigin = /^https?:\/\/(?:(?:[^:/]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** The header that says which headers a page may read. */
export const expose = 'Access-Control-Expose-Headers'

/** The headers that a page may read, besides limit headers with other names. A browser hides all others, on errors too (A19). */
const exposed = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
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
 * The headers that let a page of an allowed origin read a reply (A19). A browser gives no reason for a refusal, so
 * `onNotice` gets one, once for each origin. Pages of the server itself or of `baseUrl` need no such headers.
 */
export function createCors(
  allowed: AllowedOrigins,
  onNotice: (text: string) => void,
  baseUrl?: string,
): ReadPageAccess {
  const reported = new Set<string>()
  const notify = (origin: string, remedy: string | undefined) => {
    if (reported.has(origin) || reported.size >= mostReported) return
    reported.add(origin)
    const shown = clip(origin, longestOrigin)
    const flag = remedy === undefined ? '' : ` Start pet-mock with ${remedy} to allow it.`
    onNotice(`A page from the origin ${shown} called, but its browser blocks the reply.${flag}`)
  }
  const own = /^https?:\/\/[^/]+/.exec(baseUrl ?? '')?.[0]
  return (headers, proxyHost) => {
    const isPreflight = headerValue(headers, 'access-control-request-method') !== undefined
    const varying = { Vary: isPreflight ? 'Origin, Access-Control-Request-Headers' : 'Origin' }
    const readable = { [expose]: exposed, ...(isPreflight && varying) }
    if (allowed === '*')
      return { headers: { 'Access-Control-Allow-Origin': '*', ...readable }, refusal: undefined }
    const { loopback, listed } = allowed
    const origin = headerValue(headers, 'origin')
    if (typeof origin !== 'string') return { headers: varying, refusal: undefined }
    const authority = origin.slice(origin.indexOf('://') + 3)
    const isOwn = authority === headerValue(headers, 'host') || authority === proxyHost || origin === own
    if ((loopback && loopbackOrigin.test(origin)) || listed.includes(origin))
      return {
        headers: { 'Access-Control-Allow-Origin': origin, ...readable, ...varying },
        refusal: undefined,
      }
    // Browsers send no preflight to the page's own origin.
    if (isOwn && !isPreflight) return { headers: varying, refusal: undefined }
    const remedy = remedyFor(origin, allowed)
    notify(origin, remedy)
    const expected = remedy === undefined ? 'an allowed origin' : `an allowed origin (${remedy})`
    return { headers: varying, refusal: { what: 'Origin', asked: clip(origin, longestOrigin), expected } }
  }
}

/** Browsers send shorter ones. */
const longestOrigin = 300

/**
 * A flag to paste, which keeps the origins that are allowed now. Only if it takes the new one: any client can send a
 * header that looks like one.
 */
function remedyFor(origin: string, { loopback, listed }: Exclude<AllowedOrigins, '*'>): string | undefined {
  if (origin === 'null') return `--cors ${shellQuote('*')}`
  if (origin.length > longestOrigin || !/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@,]+$/i.test(origin)) return undefined
  return `--cors ${shellQuote([...(loopback ? [] : ['none']), ...listed, origin].join(','))}`
}

/** Bounds the memory of a client that sends a new origin with each call. */
const mostReported = 20

/** How many header names a preflight may ask for, and how many characters they may have in all. */
const mostNames = 64
const mostNameText = 4_096

/** A field name (RFC 9110, section 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/**
 * The answer to OPTIONS. A preflight of an allowed page is allowed all headers that it asks for, whatever they are: the
 * service does not say which it accepts (A19). `refusal`: why the page is not allowed.
 */
export function answerOptions(
  headers: readonly string[],
  allow: string,
  isAllowed: boolean,
  refusal: Mismatch | undefined,
): Answer {
  const method = headerValue(headers, 'access-control-request-method')
  if (method === undefined) return reply(204, '', { Allow: allow })
  if (!isAllowed) return { ...reply(204, '', { Allow: allow }), mismatches: refusal && [refusal] }
  const { allowed, problem } = readNames(headerValue(headers, 'access-control-request-headers'))
  const answer = reply(204, '', {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '600',
  })
  const mismatches = [checkMethod(method, allow), problem].filter(mismatch => mismatch !== undefined)
  return mismatches.length === 0 ? answer : { ...answer, mismatches }
}

/** A browser refuses methods that are not listed, and learns no reason. */
function checkMethod(asked: unknown, allow: string): Mismatch | undefined {
  if (typeof asked !== 'string' || allow.split(', ').includes(asked)) return undefined
  return {
    what: 'Access-Control-Request-Method',
    asked: clip(asked),
    expected: `one of ${allow} (--openapi can add others)`,
  }
}

/** The valid names, as sent, up to the limits. */
function readNames(asked: unknown): { readonly allowed: string; readonly problem: Mismatch | undefined } {
  const usual = 'Authorization, Content-Type, Prefer'
  if (typeof asked !== 'string') return { allowed: usual, problem: undefined }
  const names = asked.split(',')
  const isCut = names.length > mostNames || asked.length > mostNameText
  // The last name of a cut text may be half of one.
  const kept = asked.length > mostNameText ? asked.slice(0, mostNameText).split(',').slice(0, -1) : names
  const allowed = kept.slice(0, mostNames).map(name => name.trim())
  return {
    allowed: allowed.filter(name => headerName.test(name)).join(', ') || usual,
    problem: isCut
      ? {
          what: 'Access-Control-Request-Headers',
          asked: `${names.length} names of ${asked.length} characters`,
          expected: `at most ${mostNames} names of ${mostNameText} characters in all`,
        }
      : undefined,
  }
}
