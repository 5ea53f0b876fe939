import { type Answer, refuse } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { isValid } from '../../service/keys/key.ts'
import type { Gate } from '../journal/exchange.ts'
import { answerOptions } from '../reply/cors.ts'
import type { Visit } from '../worlds/call-context.ts'
import { effectiveMethod, isUnderApi } from '../worlds/routes.ts'
import { intervene } from './apply-rules.ts'
import { refuseWhileBanned } from './ban-gate.ts'
import type { Verdict } from './decision.ts'
import { refuseKey } from './key-gate.ts'
import { takeQuota } from './limit-gate.ts'
import { operate, operateArea, routeCall } from './route-gate.ts'

/**
 * The order of these gates is the API's behaviour (A01): the first that refuses answers.
 *
 *     host -> preflight -> is it under /v1 -> key -> ban -> limit -> Prefer, rules
 *          -> route, removal, method -> the operation
 *
 * `marks`: whether what is made up is marked by `X-Pet-Mock`. Only an open area makes a promise of a verdict.
 */
export function passGates(
  visit: Visit,
  hostRefusal: Answer | undefined,
  marks: boolean,
): Verdict | Promise<Verdict> {
  const { call, target, key, at } = visit
  if (hostRefusal !== undefined) return uncounted('host', hostRefusal)
  if (call.method === 'OPTIONS') return uncounted('preflight', answerOptions(visit.caller, visit.areas))
  if (!isUnderApi(target.path)) return uncounted('api', outsideApi(visit))

  if (key === undefined || !isValid(key, at)) return refuseKey(visit)
  const ban = refuseWhileBanned(visit, key)
  if (ban !== undefined) return ban
  visit.counted = takeQuota(visit, key)
  const { limit, rate, refusal } = visit.counted
  if (refusal !== undefined) return { gate: 'limit', answer: refusal, rate, limit, operation: undefined }

  const intervention = intervene(visit, key, rate, marks)
  if (intervention?.answer !== undefined) {
    const { gate, answer } = intervention
    return { gate, answer, rate, limit, operation: undefined, intervention }
  }
  const destination = routeCall(visit)
  if ('refusal' in destination) {
    return { gate: 'route', answer: destination.refusal, rate, limit, operation: undefined, intervention }
  }
  if ('area' in destination) {
    const { area } = destination
    const answered = { gate: 'operation', rate, limit, operation: undefined, area, intervention } as const
    return operateArea(area, visit, marks, answer => ({ ...answered, answer }))
  }
  visit.reached = destination.operation
  const answer = operate(destination, visit)
  return { gate: 'operation', answer, rate, limit, operation: destination.operation, intervention }
}

/** What is made of a call on which pet-mock itself failed: the client gets the Error shape, and no stack (A20). */
export function failed({ counted, reached }: Visit): Verdict {
  const message = 'pet-mock itself failed on this call. Its log says why; please report it.'
  return {
    gate: 'failure',
    answer: refuse('internal_error', message),
    rate: counted?.rate,
    limit: counted?.limit,
    operation: reached,
  }
}

function uncounted(gate: Gate, answer: Answer): Verdict {
  return { gate, answer, rate: undefined, limit: undefined, operation: undefined }
}

/** Most often the base path was forgotten: the answer says where the API is. */
function outsideApi({ call, target, origin }: Visit): Answer {
  const asked = clip(`${effectiveMethod(call.method)} ${target.path}`)
  // A call of HTTP/1.0 need not say by which host it came.
  const place = origin === '' ? 'under the path /v1' : `at ${origin}/v1`
  const message = `There is no API at ${asked}. The Pet Adoption Service is ${place} (pet-mock).`
  return refuse('route_not_found', message)
}
