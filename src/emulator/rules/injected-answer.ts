import { type Answer, reply } from '../../service/call/answer.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type InjectedAnswer, injectedFault } from './rule.ts'

/** The answer of a rule, with the headers that clients expect with its status. `retryAfter`: the usual value. */
export function answerRule(
  { status, code, headers, body }: InjectedAnswer,
  retryAfter: () => string,
): Answer {
  const usual: Record<string, string> = {}
  if (status === 401) usual['WWW-Authenticate'] = invalidTokenChallenge('The API key is not accepted')
  if (status === 429) {
    usual['Retry-After'] = retryAfter()
    usual['Cache-Control'] = 'no-store'
  }
  return { ...reply(status, body, { ...usual, ...headers }), code }
}

/** An injected error without headers. */
export function injectedError(status: number, message: string): InjectedAnswer {
  const body = JSON.stringify({ code: injectedFault, message, status })
  return { status, code: injectedFault, headers: {}, body }
}

/** The answer to a request that a fault loses. The client sees nothing of it. */
export const lostRequest = injectedError(503, 'A rule lost this request, so it was not carried out.')

/** The value of `X-Pet-Mock`. Percent-encodes what a header cannot hold: a rule's name may be in any script. */
export function markText(name: string): string {
  return name.replace(/[^ -$&-~]+/gu, part => encodeURIComponent(part))
}
