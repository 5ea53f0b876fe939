import { type CompleteRequest, complete, type TestRequest } from './request.ts'

/** A kind of request that clients of some doors cannot make. docs/browser.md prints these. */
export interface Limit {
  readonly what: string
  readonly why: string
  readonly appliesTo: (request: CompleteRequest) => boolean
}

const pathOf = ({ target }: CompleteRequest) => {
  const url = URL.canParse(`http://localhost${target}`) ? new URL(`http://localhost${target}`) : undefined
  return url === undefined ? undefined : `${url.pathname}${url.search}`
}
const names = ({ headers }: CompleteRequest) => headers.map(([name]) => name.toLowerCase())

/** https://fetch.spec.whatwg.org/#forbidden-request-header, as far as a test sends them. */
const forbidden =
  /^(?:origin|access-control-request-\w+|content-length|connection|cookie|date|te|via|sec-.*|proxy-.*)$/

/** What MSW, or any client of `fetch`, cannot do. */
export const fetchLimits: readonly Limit[] = [
  {
    what: 'a target in absolute form',
    why: 'only clients of a proxy send one',
    appliesTo: ({ target }) => !target.startsWith('/'),
  },
  {
    what: 'dot segments, fragments and quotes in a URL',
    why: '`fetch` sends the parsed URL',
    appliesTo: request => pathOf(request) !== request.target,
  },
  {
    what: 'a path outside the base URL',
    why: 'other handlers get it, then `onUnhandledRequest`',
    appliesTo: ({ target }) => !/^\/v1(?:[/?]|$)/.test(target),
  },
  {
    what: 'CONNECT and TRACE',
    why: '`fetch` refuses them',
    appliesTo: ({ method }) => /^(?:connect|trace|track)$/i.test(method),
  },
  {
    what: 'GET and HEAD with a body',
    why: '`fetch` refuses them',
    appliesTo: ({ method, body }) => /^(?:get|head)$/i.test(method) && body !== undefined,
  },
]

/** In Node, MSW 2 passes it on, and MSW 3 does not. */
export const hostLimit: Limit = {
  what: 'a `Host` other than that of the URL',
  why: 'pages may not set it, and MSW 3 drops it; so A22 does not apply',
  appliesTo: request => names(request).includes('host'),
}

/** What no page can do beside. */
export const pageLimits: readonly Limit[] = [
  hostLimit,
  {
    what: 'headers that the browser sets, such as `Origin`',
    why: 'MSW does not see them; so A19 does not apply, and any page may read any response',
    appliesTo: request => names(request).some(name => forbidden.test(name)),
  },
]

export const redirectLimit: Omit<Limit, 'appliesTo'> = {
  what: 'a redirect itself',
  why: 'the browser follows or hides it',
}

/** Thrown by a door that learns only from the reply that it cannot do what is asked of it. */
export class BeyondDoor extends Error {
  readonly limit: Omit<Limit, 'appliesTo'>

  constructor(limit: Omit<Limit, 'appliesTo'>) {
    super(limit.why)
    this.limit = limit
  }
}

export function limitOf(limits: readonly Limit[]): (request?: TestRequest) => Limit | undefined {
  return request => {
    const completed = complete(request)
    return limits.find(({ appliesTo }) => appliesTo(completed))
  }
}
