import { decodePercent } from '../../base/percent.ts'

/** The parts of a request target (RFC 9112, section 3.2; RFC 3986). */
export interface Target {
  /** All of it. */
  readonly text: string
  /** As sent, without query. */
  readonly path: string
  /** As sent, without `?`; empty when there is none. */
  readonly query: string
  /** The authority of an absolute-form target. It overrides the Host header. */
  readonly authority: string | undefined
}

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i

/**
 * Splits a request target. `new URL` would change the path: it reads `//evil/v1/pets` as a host, and normalizes
 * `/v1/x/../pets`, `/v1/%2e%2e/` and `\`.
 */
export function readTarget(target: string): Target {
  let rest = target
  let authority: string | undefined
  if (!target.startsWith('/')) {
    const absolute = absoluteForm.exec(target)
    if (absolute) {
      authority = absolute[1]
      rest = target.slice(absolute[0].length)
    }
  }
  const fragment = rest.indexOf('#')
  if (fragment !== -1) rest = rest.slice(0, fragment)
  const question = rest.indexOf('?')
  if (question === -1) return { path: rest || '/', query: '', authority, text: target }
  return { path: rest.slice(0, question) || '/', query: rest.slice(question + 1), authority, text: target }
}

const mostKept = 100
const longestKept = 256

/** Reads targets, and keeps the last ones: clients repeat them, and a text whose hash is known is found faster. */
export function createTargetReader(): (target: string) => Target {
  const known = new Map<string, Target>()
  return text => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const target = readTarget(text)
    if (text.length > longestKept) return target
    if (known.size >= mostKept) known.clear()
    known.set(text, target)
    return target
  }
}

/** The segments after the first slash, each decoded, so that `%2F` never splits. Undefined if one cannot be decoded. */
export function pathSegments(path: string): readonly string[] | undefined {
  const segments = path.slice(1).split('/')
  if (!path.includes('%')) return segments
  const decoded = segments.map(decodePercent)
  return decoded.every(segment => segment !== undefined) ? decoded : undefined
}

/** One `name=value` of a query string; `value` is undefined when its percent-encoding is broken. */
export interface QueryPair {
  readonly name: string
  readonly value: string | undefined
  /** As sent. */
  readonly raw: string
}

/** Reads a query in the encoding of forms: `+` is a space. A name that cannot be decoded matches no parameter. */
export function readQuery(query: string): QueryPair[] {
  const parts = query.split('&').filter(raw => raw !== '')
  return parts.map(raw => {
    const equals = raw.indexOf('=')
    const name = decode(equals === -1 ? raw : raw.slice(0, equals)) ?? raw
    return { name, value: equals === -1 ? '' : decode(raw.slice(equals + 1)), raw }
  })
}

function decode(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '))
}
