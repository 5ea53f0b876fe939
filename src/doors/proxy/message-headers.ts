import { headerValue } from '../../service/call/headers.ts'

/** What belongs to one connection, and is never passed on (RFC 9110, section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** What no Connection header may take away: without it a message would be another one. */
const framing: ReadonlySet<string> = new Set(['host', 'content-length'])

/** Names and values in turn, without those of the connection and without `others` (lower-case names). */
function endToEnd(headers: readonly string[], ...others: readonly string[]): string[] {
  const named = valuesOf(headers, 'connection').filter(name => !framing.has(name))
  const dropped = new Set([...named, ...others])
  const passed: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const lowered = name.toLowerCase()
    if (!hopByHop.has(lowered) && !dropped.has(lowered)) passed.push(name, headers[index + 1] ?? '')
  }
  return passed
}

/** The elements of a list that may stand in several lines, in lower case (RFC 9110, section 5.6.1). */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  const values: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== name) continue
    values.push(...(headers[index + 1] ?? '').split(',').map(value => value.trim().toLowerCase()))
  }
  return values
}

/** Methods whose requests say that there is no body by saying nothing of one (RFC 9110, section 8.6). */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** The headers of a request as the upstream gets them. `host`: its own. */
export function headersUpstream(method: string, headers: readonly string[], host: string): string[] {
  const isChunked = headerValue(headers, 'transfer-encoding') !== undefined
  const passed = isChunked
    ? endToEnd(headers, 'host', 'content-length')
    : endToEnd(headers, 'host', 'trailer')
  const length = headerValue(headers, 'content-length')
  if (isChunked) passed.push('Transfer-Encoding', 'chunked')
  else if (length === undefined && !bodiless.has(method)) passed.push('Content-Length', '0')
  // A server sends trailers to who says that it reads them (RFC 9110, section 6.5.1).
  const wantsTrailers = valuesOf(headers, 'te').some(value => /^trailers(?:$|[ ;])/.test(value))
  return ['Host', host, ...passed, ...(wantsTrailers ? ['TE', 'trailers', 'Connection', 'TE'] : [])]
}

/** The headers of an answer as the client gets them. `isChunked`: with a body that may have trailers. */
export function headersDownstream(headers: readonly string[], isChunked: boolean): string[] {
  return isChunked ? endToEnd(headers) : endToEnd(headers, 'trailer')
}

/** Whether a request wants another protocol. An offer of HTTP/2 may be passed over in silence, and clients make it always. */
export function wantsUpgrade(headers: readonly string[]): boolean {
  return valuesOf(headers, 'upgrade').some(protocol => protocol !== '' && protocol !== 'h2c')
}

/** Trailers as Node takes them. */
export function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < headers.length; index += 2)
    pairs.push([headers[index] ?? '', headers[index + 1] ?? ''])
  return pairs
}
