import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Delay, Effect, InjectedAnswer, Match, Rule, When } from '../../emulator/rules/rule.ts'
import type { RuleFields } from './file.ts'

/** A rule as a scenario writes it. Reading the result gives the same rule. */
export function formatRule({ name, match, when, effect, times, ttlMs }: Rule): RuleFields {
  const fields: RuleFields = {
    name,
    match: given(formatMatch(match)),
    when: given(formatWhen(when)),
    then: given(formatEffect(effect)),
    times,
    ttl: duration(ttlMs),
  }
  return given(fields) ?? { name }
}

function formatMatch({ body, ...rest }: Match): NonNullable<RuleFields['match']> {
  const value = body === undefined ? undefined : jsonOf(body)
  return { ...rest, ...(isJsonObject(value) && { body: value }) }
}

function formatWhen({ first, every, afterCalls, afterMs, between, probability }: When) {
  const [from, to] = between ?? []
  const range = from === undefined || to === undefined ? undefined : ([from, to] as const)
  return {
    first,
    every,
    after: afterCalls ?? duration(afterMs),
    between: range && ([formatDuration(range[0]), formatDuration(range[1])] as const),
    probability,
  }
}

function formatEffect({ answer, delay, fault }: Effect): NonNullable<RuleFields['then']> {
  return { ...(answer && formatAnswer(answer)), delay: delay && formatDelay(delay), fault }
}

function formatAnswer({ status, code, headers, body }: InjectedAnswer): NonNullable<RuleFields['then']> {
  const isBare = Object.keys(headers).length === 0
  const said = { status, ...(!isBare && { headers }) }
  const value = jsonOf(body)
  if (code !== undefined && isJsonObject(value))
    return { ...said, code, ...(typeof value.message === 'string' && { message: value.message }) }
  if (body === '') return said
  // A text body has the content type of text. Any other body was given as JSON.
  return { ...said, body: headers['Content-Type'] === undefined && value !== undefined ? value : body }
}

function formatDelay(delay: Delay): NonNullable<NonNullable<RuleFields['then']>['delay']> {
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

/** Drops undefined fields; undefined if none is left. */
function given<T extends object>(fields: T): T | undefined {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined)
  return said.length === 0 ? undefined : (Object.fromEntries(said) as T)
}
