import { headerValue } from '../../service/call/headers.ts'

/** Headers of one connection, which a proxy never forwards (RFC 9110, section 7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** Headers that no Connection header may remove: the message would change its meaning. */
const framing: ReadonlySet<string> = new Set(['host', 'content-length'])

/** The headers without those of the connection and without `others` (lower-case names). */
function endToEnd(headers: readonly string[], ...others: readonly string[]): string[] {
  const named = valuesOf(headers, 'connection').filter(name => !framing.has(name))
  const dropped = new Set([...named, ...others])
  return pairsOf(headers)
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && !dropped.has(name.toLowerCase()))
    .flat()
}

/** The elements of a list header, over all of its lines, in lower case (RFC 9110, section 5.6.1). */
function valuesOf(headers: readonly string[], name: string): readonly string[] {
  return pairsOf(headers)
    .filter(([header]) => header.toLowerCase() === name)
    .flatMap(([, text]) => text.split(',').map(value => value.trim().toLowerCase()))
}

/** Methods that need no Content-Length to announce an empty body (RFC 9110, section 8.6). */
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** The headers of a request for the upstream. `host`: the upstream's. */
export function headersUpstream(method: string, headers: readonly string[], host: string): string[] {
  const isChunked = headerValue(headers, 'transfer-encoding') !== undefined
  const passed = isChunked
    ? endToEnd(headers, 'host', 'content-length')
    : endToEnd(headers, 'host', 'trailer')
  const length = headerValue(headers, 'content-length')
  if (isChunked) passed.push('Transfer-Encoding', 'chunked')
  else if (length === undefined && !bodiless.has(method)) passed.push('Content-Length', '0')
  // Servers send trailers only to clients that accept them (RFC 9110, section 6.5.1).
  const wantsTrailers = valuesOf(headers, 'te').some(value => /^trailers(?:$|[ ;])/.test(value))
  return ['Host', host, ...passed, ...(wantsTrailers ? ['TE', 'trailers', 'Connection', 'TE'] : [])]
}

/** The headers of an answer for the client. `isChunked`: the body may have trailers. */
export function headersDownstream(headers: readonly string[], isChunked: boolean): string[] {
  return isChunked ? endToEnd(headers) : endToEnd(headers, 'trailer')
}

/** Whether a request asks for another protocol. Some clients always offer HTTP/2, which a server may ignore. */
export function wantsUpgrade(headers: readonly string[]): boolean {
  return valuesOf(headers, 'upgrade').some(protocol => protocol !== '' && protocol !== 'h2c')
}

/** Names and values in turn, as pairs. */
export function pairsOf(headers: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < headers.length; index += 2)
    pairs.push([headers[index] ?? '', headers[index + 1] ?? ''])
  return pairs
}
