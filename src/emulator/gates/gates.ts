import { type Answer, refuse } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { isValid, type Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { copyWindows, takeBack, type Windows } from '../../service/limits/limiter.ts'
import { allowedMethods, apiMethods, effectiveMethod, isUnderApi } from '../../service/operations/routes.ts'
import type { Decision, Gate } from '../journal/exchange.ts'
import { answerOptions } from '../replies/cors.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import { answerArea, answerOperation, refuseInvalid } from './answer-operation.ts'
import { refuseWhileBanned } from './ban-gate.ts'
import type { CallContext, Counted } from './call-context.ts'
import { refuseKey, reportToAddress, reportToKey } from './key-gate.ts'
import { takeQuota } from './limit-gate.ts'
import type { OpenAreas, ServedContract } from './open-areas.ts'
import { routeCall } from './route-gate.ts'
import { intervene, markRefused } from './rules-gate.ts'

/**
 * The order of these gates is the API's behaviour (A01): the first that refuses answers.
 *
 *     host -> preflight -> is it under /v1 -> key -> ban -> limit -> Prefer, rules
 *          -> route, removal, method -> the operation
 *
 * `marks`: whether `X-Pet-Mock` marks injected answers. Only `areas` and `contract` return promises.
 */
export function passGates(
  context: CallContext,
  hostRefusal: Answer | undefined,
  areas: OpenAreas | undefined,
  marks: boolean,
  contract?: ServedContract,
): Decision | Promise<Decision> {
  const { call, target, key, at } = context
  if (hostRefusal !== undefined) return uncounted('host', hostRefusal, reportToAddress(context))
  if (call.method === 'OPTIONS')
    return uncounted('preflight', answerAnyOptions(context, areas), reportToAddress(context))
  if (!isUnderApi(target.path)) {
    const answer = contract?.(context, areas) ?? outsideApi(context)
    return answer instanceof Promise ? answer.then(late => uncounted('api', late)) : uncounted('api', answer)
  }

  const { order, limits } = context.world.scenario.behaviour
  if (order?.unknownPath === 'before-key') {
    const { refusal } = routeCall(context, areas)
    if (refusal?.code === 'route_not_found') return uncounted('route', refusal, reportToAddress(context))
  }
  if (key === undefined || !isValid(key, at)) return markRefused(refuseKey(context), context, marks)
  if (order?.validation === 'before-limit') {
    const refusal = refuseInvalid(context, areas)
    if (refusal !== undefined) return uncounted('operation', refusal, reportToKey(context, key))
  }
  const ban = refuseWhileBanned(context, key)
  if (ban !== undefined) return markRefused(ban, context, marks)
  const before = limits.countInvalid === false ? copyWindows(key.windows) : undefined
  context.counted = takeQuota(context, key)
  const { limit, rate, refusal } = context.counted
  if (refusal !== undefined) {
    const refused = { gate: 'limit', answer: refusal, rate, limit, operation: undefined } as const
    return markRefused(refused, context, marks)
  }

  const intervention = intervene(context, key, rate, areas, marks)
  if (intervention?.answer !== undefined && !intervention.isAfterCall) {
    const { gate, answer } = intervention
    return { gate, answer, rate, limit, operation: undefined, intervention }
  }
  const carried = carryOut(context, context.counted, areas, marks, intervention)
  const decision = before === undefined ? carried : giveBack(context, key, before, carried)
  if (intervention?.answer === undefined) return decision
  // The call was carried out, and the client gets the rule's answer.
  const { gate, answer } = intervention
  return decision instanceof Promise
    ? decision.then(late => ({ ...late, gate, answer }))
    : { ...decision, gate, answer }
}

function carryOut(
  context: CallContext,
  { rate, limit }: Counted,
  areas: OpenAreas | undefined,
  marks: boolean,
  intervention: Intervention | undefined,
): Decision | Promise<Decision> {
  const destination = routeCall(context, areas)
  if ('refusal' in destination) {
    return { gate: 'route', answer: destination.refusal, rate, limit, operation: undefined, intervention }
  }
  if ('area' in destination) {
    const { area } = destination
    const decided = { gate: 'operation', rate, limit, operation: undefined, area, intervention } as const
    return answerArea(area, context, marks, answer => ({ ...decided, answer }))
  }
  context.reached = destination.operation
  const answer = answerOperation(destination, context)
  return { gate: 'operation', answer, rate, limit, operation: destination.operation, intervention }
}

/** Takes back what a call used, if it gets 400 or 404 (A03). */
function giveBack(
  context: CallContext,
  key: Key,
  before: Windows,
  decision: Decision | Promise<Decision>,
): Decision | Promise<Decision> {
  if (decision instanceof Promise) return decision.then(late => giveBack(context, key, before, late))
  if (decision.limit === undefined || !/^40[04]$/.test(`${decision.answer.status}`)) return decision
  takeBack(key.windows, before, decision.limit)
  return { ...decision, rate: reportToKey(context, key), limit: undefined }
}

/** The decision on a call on which pet-mock itself failed: the client gets the Error shape, and no stack (A20). */
export function failed({ counted, reached }: CallContext): Decision {
  const message = 'pet-mock itself failed on this call. Its log says why.'
  return {
    gate: 'failure',
    answer: refuse('internal_error', message),
    rate: counted?.rate,
    limit: counted?.limit,
    operation: reached,
  }
}

function uncounted(gate: Gate, answer: Answer, rate?: RateLimit): Decision {
  return { gate, answer, rate, limit: undefined, operation: undefined }
}

/**
 * OPTIONS: the same for every path, so that a caller without a key learns nothing about paths (A18). A preflight is
 * answered before the key gate: browsers never send credentials with it.
 */
function answerAnyOptions({ caller }: CallContext, areas: OpenAreas | undefined): Answer {
  const allow = allowedMethods([...apiMethods, ...(areas?.methods ?? [])])
  const { headers, corsHeaders, corsRefusal } = caller
  const isAllowed = corsHeaders?.['Access-Control-Allow-Origin'] !== undefined
  return answerOptions(headers, allow, isAllowed, corsRefusal)
}

/** Most often the base path was forgotten: the answer says where the API is. */
function outsideApi({ call, target, address: { base } }: CallContext): Answer {
  const asked = clip(`${effectiveMethod(call.method)} ${target.path}`)
  // A call of HTTP/1.0 may have no Host.
  const place = base.startsWith('/') ? `under the path ${base}` : `at ${base}`
  const message = `There is no API at ${asked}. The Pet Adoption Service is ${place} (pet-mock).`
  return refuse('route_not_found', message)
}
