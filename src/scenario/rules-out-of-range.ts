import { maxDelayMs } from '../call/fault.ts'
import { quotas } from '../emulator/constraints.ts'
import { anyDuration } from '../files/constraint.ts'
import { type Path, showValue } from '../files/show.ts'
import { parseDuration } from '../time/duration.ts'
import type { RuleFields, ThenFields } from './file.ts'
import type { Objection } from './objection.ts'
import { check, checkName } from './ranges.ts'
import {
  errorCodes,
  headerNames,
  headerValues,
  keyPatterns,
  pathPatterns,
  ruleNames,
  shares,
  statuses,
} from './rule-shapes.ts'

/** What TypeScript cannot say of rules. */
export function rulesOutOfRange(rules: readonly RuleFields[]): readonly Objection[] {
  return rules.flatMap(({ name, match, when, then, times, ttl }, index) => {
    const path = ['rules', index]
    const after = when?.after
    return [
      ...check([...path, 'name'], name, ruleNames),
      ...check([...path, 'match', 'path'], match?.path, pathPatterns),
      ...check([...path, 'match', 'key'], match?.key, keyPatterns),
      ...check([...path, 'when', 'first'], when?.first, quotas),
      ...check([...path, 'when', 'every'], when?.every, quotas),
      ...check([...path, 'when', 'after'], after, typeof after === 'string' ? anyDuration : quotas),
      ...(when?.between ?? []).flatMap((text, side) =>
        check([...path, 'when', 'between', side], text, anyDuration),
      ),
      ...check([...path, 'when', 'probability'], when?.probability, shares),
      ...check([...path, 'times'], times, quotas),
      ...check([...path, 'ttl'], ttl, anyDuration),
      ...effect([...path, 'then'], then ?? {}),
    ]
  })
}

function effect(path: Path, { status, code, headers, delay }: ThenFields): readonly Objection[] {
  return [
    ...check([...path, 'status'], status, statuses),
    ...check([...path, 'code'], code, errorCodes),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) => [
      ...checkName([...path, 'headers', name], headerNames),
      ...check([...path, 'headers', name], `${value}`, headerValues),
    ]),
    ...delays(delay).flatMap(([place, text]) => heldBack([...path, 'delay', ...place], text)),
  ]
}

/** The durations of a delay, each with its path. */
function delays(delay: ThenFields['delay']): readonly (readonly [Path, string])[] {
  if (delay === undefined) return []
  if (typeof delay === 'string') return [[[], delay]]
  const { uniform = [], lognormal = {} } = delay
  return [
    ...uniform.map((text, side) => [['uniform', side], text] as const),
    ...Object.entries<string>(lognormal).map(([name, text]) => [['lognormal', name], text] as const),
  ]
}

function heldBack(path: Path, text: string): readonly Objection[] {
  const wrong = check(path, text, anyDuration)
  if (wrong.length > 0 || (parseDuration(text) ?? 0) <= maxDelayMs) return wrong
  return [
    {
      path,
      message: `expected a delay of at most 10m, found ${showValue(text)} (to wait for ever, fault: hang)`,
    },
  ]
}
