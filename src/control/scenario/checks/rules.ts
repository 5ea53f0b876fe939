import { contains } from '../../../base/json/contains.ts'
import type { JsonObject } from '../../../base/json/value.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { compileGlob, compilePath } from '../../../emulator/rules/match.ts'
import { endsSearch, firstCall, type Rule } from '../../../emulator/rules/rule.ts'
import type { MatchFields, RuleFields, ThenFields } from '../../../generated/scenario-fields.ts'
import { faults, faultTraits, maxDelayMs } from '../../../service/call/fault.ts'
import { problems as errors } from '../../../service/call/problems.ts'
import { operationOf } from '../../../service/operations/operations.ts'
import { effectiveMethod } from '../../../service/operations/routes.ts'
import { type Problem, type Problems, problemIf } from '../../fields/problem.ts'
import { type Path, showValue, unknownName } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { effectiveKeys, effectivePlans } from '../effective.ts'
import type { ScenarioFile } from '../file.ts'
import { answerStatus, settleRule, settleRules } from '../settle-rules.ts'
import { checkHeaders, ownInReplies } from './doors.ts'

/** Rules must name known keys and plans, and have unique names. */
export function checkRules(file: ScenarioFile, fixtures: Fixtures): Problems {
  const fields = file.rules ?? []
  const keys = effectiveKeys(file, fixtures)
  const plans = effectivePlans(file)
  const each = fields.flatMap((rule, index) => checkRule(rule, ['rules', index], keys, plans))
  return each.length > 0 ? each : checkRulesTogether(fields, index => ['rules', index])
}

/** Checks that rules which are correct by themselves have unique names. */
export function checkRulesTogether(fields: readonly RuleFields[], pathOf: (index: number) => Path): Problems {
  const names = settleRules(fields).map(({ name }) => name)
  return names.flatMap((name, index) => {
    const twin = names.indexOf(name)
    const message = `rules[${twin}] is also named ${showValue(name)}: give each rule its own name`
    return problemIf(twin !== index, [...pathOf(index), 'name'], message)
  })
}

/** Checks one rule. `path` leads to it; `keys` and `plans` are those that it can name. */
export function checkRule(rule: RuleFields, path: Path, keys: Named, plans: Named): Problems {
  const match = checkMatch(rule.match ?? {}, [...path, 'match'], [...keys.keys()], [...plans.keys()])
  return [...match, ...checkRuleItself(rule, path)]
}

type Named = ReadonlyMap<string, unknown>

export function checkRuleItself(rule: RuleFields, path: Path): Problems {
  return [...checkTimes(settleRule(rule, ''), path), ...checkThen(rule, path)]
}

function checkMatch(
  { operation, method, path: pattern, key, plan }: MatchFields,
  path: Path,
  keys: readonly string[],
  plans: readonly string[],
): Problems {
  const problems: Problem[] = []
  if (key !== undefined && !keys.some(compileGlob(key))) {
    const message = key.includes('*')
      ? `no key matches ${showValue(key)}; the keys are ${keys.join(', ')}`
      : unknownName('key', key, keys)
    problems.push({ path: [...path, 'key'], message })
  }
  if (plan !== undefined && !plans.includes(plan)) {
    problems.push({ path: [...path, 'plan'], message: unknownName('plan', plan, plans) })
  }
  if (operation === undefined) return problems
  const declared = operationOf(operation)
  if (method !== undefined && effectiveMethod(method) !== declared.method) {
    const message = `${operation} has the method ${declared.method}, so the rule can never act: remove method or operation`
    problems.push({ path: [...path, 'method'], message })
  }
  // A parameter may have any value: only a path without one surely leads elsewhere.
  const at = `/v1${declared.path}`
  if (pattern !== undefined && !at.includes('{') && !compilePath(pattern)(at)) {
    const message = `${operation} is at ${at}, so the rule can never act: remove path or operation`
    problems.push({ path: [...path, 'path'], message })
  }
  return problems
}

function checkTimes({ when, ttlMs }: Rule, path: Path): Problems {
  const problems: Problem[] = []
  if (firstCall(when) === undefined) {
    const { first, every, afterCalls } = when
    const those = `the first ${first} of a key's calls`
    const message =
      afterCalls !== undefined && afterCalls >= (first ?? 0)
        ? `after: ${afterCalls} calls skips ${those}, so the rule can never act: raise first or lower after`
        : `every: ${every} selects none of ${those}, so the rule can never act: raise first or lower every`
    problems.push({ path: [...path, 'when', 'first'], message })
  }
  const [from, to] = when.between ?? [0, Number.POSITIVE_INFINITY]
  if (from >= to) {
    problems.push({ path: [...path, 'when', 'between', 1], message: 'expected a duration above the first' })
  }
  const begins = Math.max(from, when.afterMs ?? 0)
  if (from < to && begins >= to) {
    const message = 'when.between ends before when.after begins, so the rule can never act'
    problems.push({ path: [...path, 'when', 'after'], message })
  } else if (ttlMs !== undefined && begins >= ttlMs) {
    const message = 'the ttl ends before the rule begins to act: expected a longer ttl'
    problems.push({ path: [...path, 'ttl'], message })
  }
  return problems
}

/** Rules whose calls an earlier one takes, as sentences. No mistake: somebody may switch that one off. */
export function coveredRules(file: ScenarioFile): readonly string[] {
  const rules = settleRules(file.rules ?? [])
  const steps = (file.walkthrough ?? []).flatMap(step => ('change' in step ? [step] : []))
  const switched = [...(file.events ?? []), ...steps].flatMap(({ change }) =>
    change.do === 'changeRule' || change.do === 'deleteRule' ? [change.name] : [],
  )
  return rules.flatMap((rule, index) => {
    const taker = rules
      .slice(0, index)
      .filter(earlier => endsSearch(earlier) && !earlier.off && !switched.includes(earlier.name))
      .filter(({ when, times, ttlMs }) =>
        [...Object.values(when), times, ttlMs].every(one => one === undefined),
      )
      // Every call that matches the second rule matches the first.
      .find(({ match }) => contains(plain(rule.match), plain(match)))
    if (taker === undefined) return []
    const [first, second] = [showValue(taker.name), showValue(rule.name)]
    return [
      `The rule ${second} cannot act while the earlier rule ${first} is on, which takes all its calls. If that is not intended, move it before ${first}.`,
    ]
  })
}

function plain({ query, ...texts }: Rule['match']): JsonObject {
  const said = Object.entries({ ...texts, query }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(said) as JsonObject
}

/** What a rule does must be something, and its parts must fit together. */
function checkThen({ then = {}, match }: RuleFields, path: Path): Problems {
  const status = answerStatus(then)
  const at = [...path, 'then']
  const does = [status, then.delay, then.fault, then.code, then.message, then.headers]
  const nothing = 'the rule does nothing: expected then with a status, a body, a delay or a fault'
  if (does.every(part => part === undefined)) return [{ path, message: nothing }]
  return [
    ...checkAnswer(then, status, at),
    ...checkFault(then, status, match?.method, at),
    ...checkHeaders(then.headers, ownInReplies, [...at, 'headers']),
    ...checkDelay(then.delay, [...at, 'delay']),
  ]
}

/** Statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function isWithoutContent(status: number | undefined): boolean {
  return status === 204 || status === 205 || status === 304
}

function checkAnswer(then: ThenFields, status: number | undefined, path: Path): Problems {
  const refuse = (names: readonly ('code' | 'message' | 'headers' | 'body')[], message: string) =>
    names.filter(name => then[name] !== undefined).map(name => ({ path: [...path, name], message }))
  if (status === undefined) {
    const noStatus = 'this is part of a response, but the rule gives none: add a status'
    if (then.code === undefined) return refuse(['message', 'headers'], noStatus)
    const hint = suggest(then.code, Object.keys(errors)) || ': add a status'
    return refuse(['code'], `this is not a code of the API, so it does not set a status${hint}`)
  }
  const shape = 'this is part of the Error shape'
  if (then.body !== undefined) {
    return [
      ...refuse(['code', 'message'], `${shape}, which the body replaces: remove one of them`),
      ...(isWithoutContent(status)
        ? refuse(['body'], `a response with the status ${status} has no body`)
        : []),
    ]
  }
  return status < 400
    ? refuse(['code', 'message'], `${shape}, which requires a status of 400 or more, not ${status}`)
    : []
}

function checkFault(
  { fault, body, direction }: ThenFields,
  status: number | undefined,
  method: string | undefined,
  path: Path,
): Problems {
  const name = faults.find(known => known === fault || (typeof fault === 'object' && known in fault))
  if (name === undefined || faultTraits[name].arrives === 'nothing') return []
  if (status === undefined && direction === 'request') {
    const message = `${name} breaks a response, but with direction: request there is no response: add a status, or remove direction`
    return [{ path: [...path, 'direction'], message }]
  }
  if (!faultTraits[name].breaksBody) return []
  // Without a status, the fault breaks the usual reply, which has a body.
  const isEmpty = status !== undefined && (body === undefined ? status < 400 : body === '')
  if (!isEmpty && method !== 'HEAD') return []
  const what = method === 'HEAD' ? 'a response to HEAD' : 'this response'
  return [{ path: [...path, 'fault'], message: `${name} breaks a body, and ${what} has none` }]
}

function checkDelay(delay: ThenFields['delay'], path: Path): Problems {
  if (delay === undefined) return []
  if (typeof delay === 'string') return checkLength(delay, path)
  const { uniform, lognormal } = delay
  if (uniform !== undefined) {
    const [from, to] = uniform
    const at = [...path, 'uniform']
    const wrong = uniform.flatMap((length, index) => checkLength(length, [...at, index]))
    if (wrong.length > 0) return wrong
    return problemIf(ms(from) > ms(to), [...at, 1], 'expected a duration that is not shorter than the first')
  }
  if (lognormal === undefined) return []
  const { median, p99 } = lognormal
  const at = [...path, 'lognormal']
  const wrong = [...checkLength(median, [...at, 'median']), ...checkLength(p99, [...at, 'p99'])]
  if (wrong.length > 0) return wrong
  if (ms(median) === 0) return [{ path: [...at, 'median'], message: 'expected a duration above 0' }]
  const message = 'expected a duration that is not shorter than the median'
  return problemIf(ms(p99) < ms(median), [...at, 'p99'], message)
}

function checkLength(length: string, path: Path): Problems {
  const message = `expected a delay of at most 10m, found ${showValue(length)} (to never answer, use fault: hang)`
  return problemIf(ms(length) > maxDelayMs, path, message)
}

function ms(text: string): number {
  return parseDuration(text) ?? 0
}
