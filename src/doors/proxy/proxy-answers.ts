import { httpDate } from '../../base/time/instant.ts'
import { type AllowedOrigins, createCors, loopbackOnly } from '../../emulator/replies/cors.ts'
import { finish, sandboxed, workerScope } from '../../emulator/replies/finish-reply.ts'
import { answerOptions } from '../../emulator/replies/preflight.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { opensPage } from '../admin/pages/wants-page.ts'
import { pairsOf } from './message-headers.ts'

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
