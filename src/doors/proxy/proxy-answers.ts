import { httpDate } from '../../base/time/instant.ts'
import { type AllowedOrigins, answerOptions, createCors, loopbackOnly } from '../../emulator/replies/cors.ts'
import { finish, sandboxed, workerScope } from '../../emulator/replies/finish-reply.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { headerValue, linesOf, pairsOf } from '../../service/call/headers.ts'
import { opensPage } from '../admin/pages/wants-page.ts'

export interface AnswerOptions {
  /** Whose pages may call. With it, the proxy adds CORS to a service that has none. */
  readonly cors: AllowedOrigins | undefined
  /** Whether Link and Location lead to the proxy instead of the service. */
  readonly rewriteLinks: boolean
  readonly onNotice: (text: string) => void
}

export type ProxyAnswers = ReturnType<typeof createProxyAnswers>

type CallHead = Pick<Call, 'method' | 'headers'>

/** What the proxy adds to answers of the service, and to its own. */
export function createProxyAnswers({ cors, rewriteLinks, onNotice }: AnswerOptions, upstream: URL) {
  const read = createCors(cors ?? loopbackOnly, onNotice)
  const rewrite = rewriteLinks ? createLinkRewriter(upstream) : undefined
  /** Undefined if no page called, or one that may not. */
  const accessOf = ({ headers }: CallHead) => {
    const access = read(headers).headers
    return access['Access-Control-Allow-Origin'] === undefined ? undefined : access
  }
  return {
    /** Headers for an answer of the proxy itself: a page must be able to read why there is no other. */
    own: (call: CallHead): Readonly<Record<string, string>> => accessOf(call) ?? {},
    /** The headers of an answer of the service, as the client gets them. */
    edit: (call: CallHead, headers: string[]): string[] => {
      const access = cors === undefined || allowsOrigin(headers) ? undefined : accessOf(call)
      const host = headerValue(call.headers, 'host')
      const moved =
        rewrite === undefined ? headers : rewrite(headers, typeof host === 'string' ? host : undefined)
      const kept = pairsOf(moved).filter(([name]) => name.toLowerCase() !== workerScope)
      const added = { ...access, ...(opensPage(call) && sandboxed) }
      return [...kept, ...Object.entries(added)].flat()
    },
    /**
     * The answer to a preflight, if its page may call. `answered`: the service's headers, if it answered. Without one, the
     * page could never see the 502.
     */
    preflight: (call: CallHead, answered: readonly string[] | undefined): Reply | undefined => {
      const method = headerValue(call.headers, 'access-control-request-method')
      const isAllowed =
        call.method === 'OPTIONS' && typeof method === 'string' && /^[A-Z]{1,20}$/.test(method)
      if (!isAllowed || (answered !== undefined && (cors === undefined || allowsOrigin(answered))))
        return undefined
      const access = accessOf(call)
      if (access === undefined) return undefined
      const answer = answerOptions(call.headers, method, true, undefined)
      const { headers, ...reply } = finish(answer, undefined, httpDate(Date.now()), access, call.method)
      return { ...reply, headers: { ...headers, 'X-Pet-Mock': 'proxy' } }
    },
  }
}

function allowsOrigin(headers: readonly string[]): boolean {
  return headerValue(headers, 'access-control-allow-origin') !== undefined
}

/** Moves absolute URLs of the service in Link and Location to the proxy, which has the same paths. */
function createLinkRewriter(upstream: URL) {
  const moved = (url: string, own: string): string => {
    // A relative URL stays on the proxy anyway.
    if (!/^(?:https?:)?\/\//i.test(url) || !URL.canParse(url, upstream.href)) return url
    const parsed = new URL(url, upstream)
    const isOfService = parsed.origin === upstream.origin && parsed.username === '' && parsed.password === ''
    return isOfService ? `${own}${parsed.pathname}${parsed.search}${parsed.hash}` : url
  }
  /** `host`: the Host that the client called. Without one, the URLs become relative. */
  return (headers: readonly string[], host: string | undefined): string[] => {
    const own = host === undefined ? '' : `http://${host}`
    return pairsOf(headers).flatMap(([name, value]) => {
      if (/^location$/i.test(name)) return [name, moved(value, own)]
      if (!/^link$/i.test(name)) return [name, value]
      return [name, value.replace(/<([^<>]*)>/g, (_all, url: string) => `<${moved(url, own)}>`)]
    })
  }
}

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
  return linesOf(headers, name).flatMap(text => text.split(',').map(value => value.trim().toLowerCase()))
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
