import { failedCheck } from '../../contract/contract-report.ts'
import type { Judge } from '../../contract/judge.ts'
import { reasonOf } from '../../report/unjudged.ts'
import { type CheckedCall, petOf, show } from '../calls/checked-call.ts'
import { hasKey } from '../calls/request.ts'
import { checkLimitHeaders } from './limit-headers.ts'
import { checkRefusal } from './refusal.ts'

export interface ResponseContext {
  readonly judge: Judge
  readonly plan: string
  /** This machine's time, in epoch milliseconds. */
  readonly now: number
  /** Whether the request tests an assumption. */
  readonly isAssumed: boolean
  /** Whether the specification describes no such request. */
  readonly isElsewhere: boolean
  /** Whether a 429 came since the last success. */
  readonly mayBeBanned: boolean
}

/** Makes the checks that hold for every response. Resolves with the id of the operation if it documents the status. */
export async function checkEveryResponse(
  call: CheckedCall,
  context: ResponseContext,
): Promise<string | undefined> {
  const { request, status } = call
  const operation = request.method === 'HEAD' ? undefined : await checkContract(call, context)
  if (status === 401) checkChallenge(call)
  if (hasKey(request) && !context.mayBeBanned)
    call.check('auth-accepted', status !== 401, 'the status is 401')
  checkLimitHeaders(call, context)
  if (status === 429) checkRefusal(call, context)
  return operation
}

const contractParts = ['contract-status', 'contract-media-type', 'contract-header', 'contract-body'] as const

async function checkContract(
  call: CheckedCall,
  { judge: { judge, operations }, isAssumed }: ResponseContext,
): Promise<string | undefined> {
  const { request, status, headers, text, json } = call
  const sent = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const judgement = await judge({
    method: request.method,
    target: request.target,
    requestHeaders: { authorization: 'Bearer key', ...Object.fromEntries(sent) },
    requestBody: request.body,
    status,
    headers,
    body: text === '' ? undefined : text,
  }).catch(reasonOf)
  if (typeof judgement === 'string') {
    call.leaveOpen('contract-body', judgement)
    return undefined
  }
  const { breaches, assumed, isBodyAssumed, operation, isDocumented } = judgement
  if (operation === undefined && status < 400) return undefined
  const isError = status >= 400
  const isNamed = operations.find(({ id }) => id === operation)?.statuses.includes(`${status}`) === true
  const shape = !isNamed || (isError && isAssumed) ? 'error-shape' : 'contract-assumed'
  const isNote = (breach: (typeof breaches)[number]) => assumed.has(breach) || (isError && isAssumed)
  const messagesOf = (found: typeof breaches) => found.map(({ message }) => message).join('; ')
  for (const part of contractParts) {
    const found = breaches.filter(breach => failedCheck(breach) === part && !isNote(breach))
    if (isNamed || found.length > 0) call.check(part, found.length === 0, messagesOf(found))
  }
  const notes = breaches.filter(isNote)
  call.check(shape, notes.length === 0, messagesOf(notes))
  // A missing body, or one that is not JSON, is a breach of its own.
  const inBody = isError && json !== undefined ? petOf(call)?.status : undefined
  const isLoose = isBodyAssumed || isAssumed
  if (inBody !== undefined)
    call.check(
      isLoose ? shape : 'error-status',
      inBody === status,
      `the Error has ${show(inBody)}, the response ${status}`,
    )
  return isDocumented ? operation : undefined
}

function checkChallenge(call: CheckedCall): void {
  const challenge = call.headers['www-authenticate']
  call.check('auth-challenge', challenge !== undefined, 'WWW-Authenticate is missing')
  if (challenge !== undefined)
    call.check('auth-scheme', /\bbearer\b/i.test(challenge), `WWW-Authenticate is ${challenge}`)
}
