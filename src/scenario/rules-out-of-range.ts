import { maxDelayMs } from '../call/fault.ts'
import { type Path, showValue } from '../files/show.ts'
import { parseDuration } from '../time/duration.ts'
import type { RuleFields, ThenFields } from './file.ts'
import type { Objection } from './objection.ts'
import { duration, number, within } from './ranges.ts'
import { headerNamePattern, headerValuePattern, rulePatterns } from './rule-shapes.ts'

const calls = 'a whole number of calls (1 or more)'

/** What TypeScript cannot say of rules. */
export function rulesOutOfRange(rules: readonly RuleFields[]): readonly Objection[] {
  return rules.flatMap(({ name, match, when, then, times, ttl }, index) => {
    const path = ['rules', index]
    const after = when?.after
    return [
      ...shape([...path, 'name'], name, rulePatterns.name, 'a name of up to 100 visible characters'),
      ...shape(
        [...path, 'match', 'path'],
        match?.path,
        rulePatterns.path,
        'a whole path, such as /v1/pets/{petId}',
      ),
      ...number([...path, 'when', 'first'], when?.first, calls, within(1)),
      ...number([...path, 'when', 'every'], when?.every, calls, within(1)),
      ...(typeof after === 'string'
        ? duration([...path, 'when', 'after'], after)
        : number([...path, 'when', 'after'], after, calls, within(1))),
      ...(when?.between ?? []).flatMap((text, side) => duration([...path, 'when', 'between', side], text)),
      ...number(
        [...path, 'when', 'probability'],
        when?.probability,
        'a number above 0 and up to 1',
        share => share > 0 && share <= 1,
      ),
      ...number([...path, 'times'], times, calls, within(1)),
      ...duration([...path, 'ttl'], ttl),
      ...effect([...path, 'then'], then ?? {}),
    ]
  })
}

function effect(path: Path, { status, code, headers, delay }: ThenFields): readonly Objection[] {
  return [
    ...number([...path, 'status'], status, 'a status from 200 to 599', within(200, 599)),
    ...shape([...path, 'code'], code, rulePatterns.code, 'a code of the Error shape'),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) => [
      ...shape([...path, 'headers', name], name, headerNamePattern, 'the name of a header'),
      ...shape(
        [...path, 'headers', name],
        `${value}`,
        headerValuePattern,
        'a text of visible ASCII characters',
      ),
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
  const wrong = duration(path, text)
  if (wrong.length > 0 || (parseDuration(text) ?? 0) <= maxDelayMs) return wrong
  return [
    {
      path,
      message: `expected a delay of at most 10m, found ${showValue(text)} (to wait for ever, fault: hang)`,
    },
  ]
}

function shape(
  path: Path,
  text: string | undefined,
  pattern: RegExp,
  expected: string,
): readonly Objection[] {
  if (text === undefined || pattern.test(text)) return []
  return [{ path, message: `expected ${expected}, found ${showValue(text)}` }]
}
