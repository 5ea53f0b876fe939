import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { Delay, Effect, InjectedAnswer, Match, Rule, When } from '../../emulator/rules/rule.ts'
import type { RuleFields } from './file.ts'

/** A rule in the words of a scenario: it reads as the same rule again. What does not apply is left out. */
export function tellRule({ name, match, when, effect, times, ttlMs }: Rule): RuleFields {
  const fields: RuleFields = {
    name,
    match: given(tellMatch(match)),
    when: given(tellWhen(when)),
    then: given(tellEffect(effect)),
    times,
    ttl: duration(ttlMs),
  }
  return given(fields) ?? { name }
}

function tellMatch({ body, ...rest }: Match): NonNullable<RuleFields['match']> {
  const value = body === undefined ? undefined : jsonOf(body)
  return { ...rest, ...(isJsonObject(value) && { body: value }) }
}

function tellWhen({ first, every, afterCalls, afterMs, between, probability }: When) {
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

function tellEffect({ answer, delay, fault }: Effect): NonNullable<RuleFields['then']> {
  return { ...(answer && tellAnswer(answer)), delay: delay && tellDelay(delay), fault }
}

function tellAnswer({ status, code, headers, body }: InjectedAnswer): NonNullable<RuleFields['then']> {
  const isBare = Object.keys(headers).length === 0
  const said = { status, ...(!isBare && { headers }) }
  const value = jsonOf(body)
  if (code !== undefined && isJsonObject(value))
    return { ...said, code, ...(typeof value.message === 'string' && { message: value.message }) }
  if (body === '') return said
  // A text of one's own is labelled as text: only then is it not read as JSON.
  return { ...said, body: headers['Content-Type'] === undefined && value !== undefined ? value : body }
}

function tellDelay(delay: Delay): NonNullable<NonNullable<RuleFields['then']>['delay']> {
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

/** Without the fields that say nothing; undefined when none is left. */
function given<T extends object>(fields: T): T | undefined {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined)
  return said.length === 0 ? undefined : (Object.fromEntries(said) as T)
}
