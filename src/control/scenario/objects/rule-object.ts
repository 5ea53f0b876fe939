import { anyDuration } from '../../../base/text/constraint.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { quotas } from '../../../emulator/worlds/constraints.ts'
import { faults, maxDelayMs } from '../../../service/call/fault.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { showValue } from '../../files/show.ts'
import type { DrawnDelay, MatchFields, RuleFields, ThenFields, WhenFields } from '../file.ts'
import { jsonMap, jsonValue } from './json-shape.ts'
import { anyText, isMap, itemFields, like, list, names, oneOf, type Shape, unlike } from './object-shapes.ts'
import {
  errorCodes,
  headerNames,
  headerValues,
  keyPatterns,
  methods,
  pathPatterns,
  ruleNames,
  shares,
  statuses,
} from './rule-shapes.ts'

/* Rules, as a program writes them. */

const duration = like(anyDuration)

const queryValue: Shape = (path, value) =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
    ? []
    : unlike(path, 'a text or a number', value)

const headerValue: Shape = (path, value) =>
  typeof value === 'string'
    ? like(headerValues)(path, value)
    : Number.isSafeInteger(value)
      ? []
      : unlike(path, 'a text or a whole number', value)

const callsOrTime: Shape = (path, value) => (typeof value === 'string' ? duration : like(quotas))(path, value)

function pair(each: Shape): Shape {
  return (path, value) =>
    Array.isArray(value) && value.length === 2
      ? list(each)(path, value)
      : unlike(path, 'a list of two durations, from and to', value)
}

const heldBack: Shape = (path, value) => {
  const wrong = duration(path, value)
  if (wrong.length > 0 || (parseDuration(`${value}`) ?? 0) <= maxDelayMs) return wrong
  const message = `expected a delay of at most 10m, found ${showValue(value)} (to wait for ever, fault: hang)`
  return [{ path, message }]
}

const drawnDelay = itemFields<DrawnDelay>({
  uniform: pair(heldBack),
  lognormal: itemFields<NonNullable<DrawnDelay['lognormal']>>(
    { median: heldBack, p99: heldBack },
    'median',
    'p99',
  ),
})

const delay: Shape = (path, value) => {
  if (typeof value === 'string') return heldBack(path, value)
  return isMap(value) ? drawnDelay(path, value) : unlike(path, 'a duration, uniform or lognormal', value)
}

/** What a rule must be. */
export const ruleShape = itemFields<RuleFields>({
  name: like(ruleNames),
  match: itemFields<MatchFields>({
    operation: oneOf(operationIds),
    method: oneOf(methods),
    path: like(pathPatterns),
    key: like(keyPatterns),
    plan: anyText,
    query: names(undefined, queryValue),
    body: jsonMap,
  }),
  when: itemFields<WhenFields>({
    first: like(quotas),
    every: like(quotas),
    after: callsOrTime,
    between: pair(duration),
    probability: like(shares),
  }),
  then: itemFields<ThenFields>({
    status: like(statuses),
    code: like(errorCodes),
    message: anyText,
    headers: names(headerNames, headerValue),
    body: jsonValue,
    delay,
    fault: oneOf(faults),
  }),
  times: like(quotas),
  ttl: duration,
})
