import { objectOf } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { Answer } from '../../service/call/answer.ts'
import { maxDelayMs } from '../../service/call/fault.ts'
import type { Preferences } from '../../service/call/prefer.ts'
import { deprecationHeaders } from '../../service/deprecation/deprecation.ts'
import type { Key } from '../../service/keys/key.ts'
import { missingKey } from '../../service/keys/unauthorized.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { takeForm, type Windows } from '../../service/limits/limiter.ts'
import { retryAfter } from '../../service/limits/retry-after.ts'
import { type OperationId, operationOf } from '../../service/operations/operations.ts'
import { type Example, findExample, refusedPreferences } from '../../service/operations/preferred.ts'
import { effectiveMethod, operationAt } from '../../service/operations/routes.ts'
import type { Decision } from '../journal/exchange.ts'
import { type Intervention, markUnmet } from '../replies/finish-reply.ts'
import * as injection from '../rules/injected-answer.ts'
import type { CallContext } from './call-context.ts'
import type { OpenAreas } from './open-areas.ts'
import { removalOf } from './route-gate.ts'

/** Injects faults (A01): after the limit, so that they cost quota, and before the route. */
export function intervene(
  context: CallContext,
  key: Key,
  rate: RateLimit,
  areas: OpenAreas | undefined,
  marks: boolean,
): Intervention | undefined {
  const { preferences } = context.caller
  const { rules } = context.world
  if (preferences === undefined && rules.size === 0) return undefined
  const call = () => injectedCallOf(context, key.windows, rate, areas)
  const preferred = preferences && answerPreferred(preferences, call())
  // No rule counts a call that gets what it asks for, as none counts what key, ban and limit refuse.
  const isConsulted = preferred === undefined && rules.size > 0
  const { call: received, target } = context
  const facts = isConsulted ? new injection.CallFacts(received, target, key.text, key.plan) : undefined
  const outcome = facts && rules.consult(facts, context.at)
  if (preferences === undefined && outcome === undefined) return undefined
  const { rules: acted = [], answer, fault, direction, delayMs = 0 } = outcome ?? {}
  // The client sees nothing of this answer: it replaces a call that is not carried out.
  const lost = direction === 'request' && fault !== undefined ? injection.lostRequest : undefined
  const injected = answer ?? lost
  const acting = injected === undefined && fault === undefined ? undefined : acted.at(-1)
  const isAsked = preferred !== undefined
  return {
    gate: isAsked ? 'prefer' : 'rule',
    answer: preferred ?? (injected && injection.answerRule(injected, call())),
    isAfterCall: direction === 'response',
    rules: isAsked || outcome !== undefined || preferences?.delayMs !== undefined ? acted : undefined,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    marks: {
      acting: isAsked ? 'prefer' : acting && injection.markText(acting),
      isFaultOnly: !isAsked && injected === undefined,
      preferences,
      operation: preferences && call().operation(),
      isShown: marks,
    },
  }
}

/** Names the preferences of a call that its key, a ban or the limit refuses. */
export function markRefused(decision: Decision, { caller }: CallContext, marks: boolean): Decision {
  const { preferences } = caller
  if (preferences === undefined || !marks) return decision
  const mark = markUnmet(refusedPreferences(preferences))
  const { answer } = decision
  return { ...decision, answer: { ...answer, headers: { ...answer.headers, 'X-Pet-Mock': mark } } }
}

/** The answer that a `Prefer` header asks for: an example of the contract, or an error. */
export function answerPreferred(preferences: Preferences, call: injection.InjectedCall): Answer | undefined {
  const example = findExample(preferences, call.operation())
  if (example !== undefined && 'body' in example) return answerExample(example, call)
  const { code } = preferences
  if (code === undefined) return undefined
  return injection.answerRule(
    injection.likeService(code, `The request asked for this answer: Prefer: code=${code}.`),
    call,
  )
}

/** The headers are the service's for the status; `Location` names the example's pet. */
function answerExample({ status, body }: Example, call: injection.InjectedCall): Answer {
  const { code, id } = objectOf(jsonIn(body))
  const headers = {
    ...injection.datesOf(status, call.lifetime?.()),
    ...(status === 201 && { Location: `${call.path}/${id}` }),
    ...(code === 'missing_api_key' && missingKey().headers),
  }
  return injection.answerRule({ status, code: status >= 400 ? `${code}` : undefined, headers, body }, call)
}

/** A call as an injected error sees it. `Retry-After` agrees with the reset that the limit headers name (A08). */
function injectedCallOf(
  context: CallContext,
  windows: Windows,
  rate: RateLimit,
  areas: OpenAreas | undefined,
): injection.InjectedCall {
  const { path } = context.target
  const { limits } = context.world.scenario.behaviour
  const method = effectiveMethod(context.call.method)
  // A user's contract may add an operation where getPet would take the segment for an id.
  const operation = () => (areas?.find(path, method) === undefined ? operationAt(path, method) : undefined)
  return {
    method,
    path,
    operation,
    furtherMethods: () => areas?.methodsAt(path) ?? [],
    lifetime: () => lifetimeOf(context, operation()),
    retryAfter: () => retryAfter(rate.resetsAt, context.date, takeForm(windows, limits.retryAfter)),
  }
}

function lifetimeOf(context: CallContext, id: OperationId | undefined): injection.Lifetime | undefined {
  const operation = id && operationOf(id)
  if (operation?.deprecated === undefined) return undefined
  const { deprecation } = context.world.scenario.behaviour
  return {
    removal: removalOf(operation, context),
    headers: deprecationHeaders(operation.deprecated, deprecation, context.address.base),
  }
}
