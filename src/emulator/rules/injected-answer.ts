import { type Answer, reply } from '../../service/call/answer.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type InjectedAnswer, injectedFault } from './rule.ts'
import { type InjectedCall, otherMethods, serviceError } from './service-error.ts'

/** The answer of a rule to a call, with the headers that clients expect with its status. */
export function answerRule(injected: InjectedAnswer, call: InjectedCall): Answer {
  const { status, headers } = injected
  const usual = usualHeaders(status, call, headers)
  if (!injected.isServices)
    return { ...reply(status, injected.body, { ...usual, ...headers }), code: injected.code }
  const { code, headers: own } = serviceError(status, call)
  const { message = injectedMessage(status, code) } = injected
  const body = JSON.stringify({ code, message, status })
  return { ...reply(status, body, { ...usual, ...own, ...headers }), code }
}

function usualHeaders(
  status: number,
  call: InjectedCall,
  own: InjectedAnswer['headers'],
): Record<string, string> {
  switch (status) {
    case 401:
      return { 'WWW-Authenticate': invalidTokenChallenge('The API key is not valid') }
    case 405:
      return { Allow: otherMethods(call) }
    case 429:
      return { ...('Retry-After' in own ? {} : call.retryAfter()), 'Cache-Control': 'no-store' }
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
