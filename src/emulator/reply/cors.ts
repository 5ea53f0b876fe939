import { type Answer, reply } from '../../service/call/answer.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Caller } from '../worlds/caller.ts'
import type { OpenAreas } from '../worlds/open-areas.ts'

export type CorsHeaders = (headers: readonly string[]) => Readonly<Record<string, string>> | undefined

const loopbackOrigin = /^https?:\/\/(?:(?:[^:/]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Everything a client's code may want to read; a browser hides what is not named here, on errors too (A19). */
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
 * Headers that let a page of an allowed origin read a reply: loopback origins unless others are listed (A19). To a page
 * of another one the browser says hardly anything: `onNotice` tells its developer, once for each origin.
 */
export function createCors(
  allowed: readonly string[] | '*' | undefined,
  onNotice: (text: string) => void,
): CorsHeaders {
  const told = new Set<string>()
  const tell = (origin: string) => {
    if (told.has(origin) || told.size >= mostTold) return
    told.add(origin)
    const remedy = `Start pet-mock with --cors '${origin === 'null' ? '*' : origin}' if it is yours.`
    onNotice(`A page of the origin ${origin} called; its browser will not let it read the reply. ${remedy}`)
  }
  const varying = { Vary: 'Origin' }
  const any = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed }
  return headers => {
    if (allowed === '*') return any
    const origin = headerValue(headers, 'origin')
    if (typeof origin !== 'string') return varying
    if (!(allowed === undefined ? loopbackOrigin.test(origin) : allowed.includes(origin))) {
      tell(origin)
      return varying
    }
    return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposed, ...varying }
  }
}

/** Whoever sends a new origin with each call shall not fill the memory. */
const mostTold = 20

const methods = ['GET', 'HEAD', 'POST']

/**
 * OPTIONS, alike for every path, so that it tells a caller without a key nothing about paths (A18). A preflight is
 * answered before the key gate: browsers never send credentials with it.
 */
export function answerOptions({ headers, corsHeaders }: Caller, areas: OpenAreas | undefined): Answer {
  const allowed = [...new Set([...methods, ...(areas?.methods ?? [])]), 'OPTIONS'].join(', ')
  const isPreflight = headerValue(headers, 'access-control-request-method') !== undefined
  if (!isPreflight || corsHeaders?.['Access-Control-Allow-Origin'] === undefined)
    return reply(204, '', { Allow: allowed })
  return reply(204, '', {
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, Prefer',
    'Access-Control-Max-Age': '600',
  })
}
