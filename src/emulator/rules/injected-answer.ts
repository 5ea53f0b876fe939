import type { JsonValue } from '../../base/json/value.ts'
import { type Answer, reply } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import type { ProblemCode } from '../../service/call/problems.ts'
import { type QueryPair, readQuery, type Target } from '../../service/call/target.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type OperationId, operationOf } from '../../service/operations/operations.ts'
import { allowedMethods, effectiveMethod, findRoute, operationAt } from '../../service/operations/routes.ts'
import type { Facts } from './match.ts'
import { type InjectedAnswer, injectedFault } from './rule.ts'

/** The answer of a rule to a call, with the headers that clients expect with its status. */
export function answerRule(injected: InjectedAnswer, call: InjectedCall): Answer {
  const { status, headers } = injected
  const usual = usualHeaders(injected, call)
  if (!injected.isServices)
    return { ...reply(status, injected.body, { ...usual, ...headers }), code: injected.code }
  const { code, headers: own } = serviceError(status, call)
  const { message = injectedMessage(status, code) } = injected
  const body = JSON.stringify({ code, message, status })
  return { ...reply(status, body, { ...usual, ...own, ...headers }), code }
}

function usualHeaders({ status, headers }: InjectedAnswer, call: InjectedCall): Record<string, string> {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': invalidTokenChallenge('The API key is not valid') }
    case 405:
      return { Allow: otherMethods(call) }
    case 429:
      return { ...('Retry-After' in headers ? {} : call.retryAfter()), 'Cache-Control': 'no-store' }
    default:
      return {}
  }
}

/** The message of an injected error that has none of its own. */
export function injectedMessage(status: number, code: string): string {
  const what = code === injectedFault ? 'An injected fault' : `An injected fault: ${code}`
  return `${what}, with the status ${status}.`
}

/** The service's error for a status, with a message. */
export function likeService(status: number, message: string): InjectedAnswer {
  return { status, headers: {}, body: '', isServices: true, message }
}

/** The answer to a request that a fault loses. The client sees nothing of it. */
export const lostRequest = likeService(503, 'A rule lost this request, so it was not carried out.')

/** The value of `X-Pet-Mock` for a rule, or for a `Prefer` header that was met. */
export function markText(name: string): string {
  const text = encodeMark(name)
  return text.startsWith(unmetMark) ? `%70${text.slice(1)}` : text
}

/** How `X-Pet-Mock` names what a `Prefer` header asked for in vain. The mark of no rule begins so. */
export const unmetMark = 'prefer unmet:'

/** Percent-encodes what a header cannot hold: a rule's name may be in any script. */
export function encodeMark(text: string): string {
  return text.replace(/[^ -$&-~]+/gu, part => encodeURIComponent(part))
}

/** What the service's error for a call depends on, besides the status. */
export interface InjectedCall {
  readonly method: string
  /** With `/v1`. */
  readonly path: string
  /** The service's operation that the call is for, if any. */
  readonly operation: () => OperationId | undefined
  /** The methods that a user's contract adds at this path, in upper case. */
  readonly furtherMethods: () => readonly string[]
  /** The headers of a deprecated operation, and its refusal once it is removed (A17). Absent if nobody knows them. */
  readonly lifetime: (() => Lifetime | undefined) | undefined
  /** The header `Retry-After`, in one line or two. */
  readonly retryAfter: () => Readonly<Record<string, string>>
}

export interface Lifetime {
  readonly removal: Answer | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** The code and headers that the service has for a status and a call. A status that it does not have is `injected_fault`. */
export function serviceError(status: number, call: InjectedCall) {
  const lifetime = call.lifetime?.()
  if (lifetime?.removal?.status === status)
    return { code: 'endpoint_removed', headers: lifetime.removal.headers ?? {} }
  return { code: codeOf(status, call), headers: datesOf(status, lifetime) }
}

/** The headers of a deprecated operation, as the contract documents them. */
export function datesOf(status: number, lifetime: Lifetime | undefined): Readonly<Record<string, string>> {
  return withDates.has(status) && lifetime?.removal === undefined ? (lifetime?.headers ?? {}) : {}
}

/** The statuses to which a deprecated operation adds its headers. Others come before it, or replace it (A01). */
const withDates: ReadonlySet<number> = new Set([200, 404, 410])

function codeOf(status: number, { method, operation }: InjectedCall): string {
  const code = codes[status]
  if (code !== undefined) return code
  if (status === 400) return withBody.has(method) ? 'invalid_body' : 'invalid_parameter'
  const id = operation()
  if (status === 404) return (id && operationOf(id).missing) ?? 'route_not_found'
  return injectedFault
}

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

const codes: Readonly<Partial<Record<number, ProblemCode>>> = {
  401: 'invalid_api_key',
  405: 'method_not_allowed',
  410: 'endpoint_removed',
  413: 'body_too_large',
  429: 'rate_limit_exceeded',
  500: 'internal_error',
}

/** `Allow` of an injected 405: the methods of the path, without the one that is refused. */
function otherMethods({ method, path, furtherMethods }: InjectedCall): string {
  const known = [...(findRoute(path)?.route.operations.keys() ?? []), ...furtherMethods()]
  return allowedMethods(known.filter(other => other !== effectiveMethod(method)))
}

/** A call as rules see it. `target` has the path that they match, and the query. */
export class CallFacts implements Facts {
  readonly method: string
  readonly target: string
  readonly key: string
  readonly plan: string
  readonly #call: Call
  readonly #target: Pick<Target, 'path' | 'query'>
  #body: { readonly json: JsonValue | undefined } | undefined

  constructor(call: Call, target: Pick<Target, 'path' | 'query'>, key: string, plan: string) {
    this.method = call.method
    this.target = call.target
    this.key = key
    this.plan = plan
    this.#call = call
    this.#target = target
  }

  path(): string {
    return this.#target.path
  }

  operation(): OperationId | undefined {
    return operationAt(this.path(), this.method)
  }

  query(): readonly QueryPair[] {
    return readQuery(this.#target.query)
  }

  body(): JsonValue | undefined {
    this.#body ??= { json: peekJsonBody(this.#call) }
    return this.#body.json
  }
}
