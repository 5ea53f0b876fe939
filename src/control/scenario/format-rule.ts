import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Delay, Effect, InjectedAnswer, Match, Rule, When } from '../../emulator/rules/rule.ts'
import type { MatchFields, RuleFields, ThenFields, WhenFields } from '../../generated/scenario-fields.ts'
import { formatFault } from './settle-fault.ts'

/** A rule as a scenario writes it. Reading its JSON gives the same rule. */
export function formatRule({ name, match, when, effect, off, times, ttlMs }: Rule): RuleFields {
  return {
    name,
    match: given(formatMatch(match)),
    when: given(formatWhen(when)),
    then: given(formatEffect(effect)),
    ...(off && { on: false }),
    times,
    ttl: duration(ttlMs),
  }
}

function formatMatch({ body, ...rest }: Match): MatchFields {
  const value = body === undefined ? undefined : jsonOf(body)
  return { ...rest, body: isJsonObject(value) ? value : undefined }
}

function formatWhen({ first, every, afterCalls, afterMs, between, probability }: When): WhenFields {
  return {
    first,
    every,
    after: afterCalls ?? duration(afterMs),
    between: between && [formatDuration(between[0]), formatDuration(between[1])],
    probability,
  }
}

function formatEffect({ answer, delay, fault, direction }: Effect): ThenFields {
  return {
    ...(answer && formatAnswer(answer)),
    delay: delay && formatDelay(delay),
    fault: fault && formatFault(fault),
    direction,
  }
}

function formatAnswer({ status, code, headers, body, isServices, message }: InjectedAnswer): ThenFields {
  const fields = { status, headers: given(headers) }
  if (isServices) return { ...fields, message }
  const value = jsonOf(body)
  if (code !== undefined && isJsonObject(value))
    return { ...fields, code, message: typeof value.message === 'string' ? value.message : undefined }
  if (body === '') return fields
  // A text body has the content type of text. Any other body was given as JSON.
  return { ...fields, body: headers['Content-Type'] === undefined && value !== undefined ? value : body }
}

function formatDelay(delay: Delay): ThenFields['delay'] {
  switch (delay.kind) {
    case 'fixed':
      return formatDuration(delay.ms)
    case 'uniform':
      return { uniform: [formatDuration(delay.fromMs), formatDuration(delay.toMs)] }
    case 'lognormal':
      return { lognormal: { median: formatDuration(delay.medianMs), p99: formatDuration(delay.p99Ms) } }
  }
}

function duration(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms)
}

function jsonOf(text: string): JsonValue | undefined {
  const read = readJson(text)
  return 'value' in read ? read.value : undefined
}

/** Undefined if every field is. */
function given<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some(value => value !== undefined) ? fields : undefined
}
