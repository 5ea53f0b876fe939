import { Document, isCollection, isMap, isNode, isPair, isScalar, type Node, visit, YAMLMap } from 'yaml'
import { isJsonObject, isObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import { type Duration, formatDuration } from '../../base/time/duration.ts'
import type { Delay, Effect, InjectedAnswer, Match, Rule, When } from '../../emulator/rules/rule.ts'
import type { MatchFields, RuleFields, ThenFields, WhenFields } from '../../generated/scenario-fields.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { effectiveKeys, effectivePetCount, featuredKey, keysOf } from './effective.ts'
import { overlay } from './extend.ts'
import type { ScenarioFile } from './file.ts'
import { banFields, deprecation, escalation, limits } from './settings/behaviour.ts'
import { rehearsal, rehearsedConduct } from './settings/rehearsal.ts'
import { scenario } from './settings/scenario.ts'
import { defaultsOf } from './settings/settled.ts'
import { clock, pets } from './settings/world.ts'
import { formatFault } from './settle-rules.ts'

type MarkOf = (path: string) => string | undefined

/**
 * A merged scenario as a file with every setting. Values that it does not give are marked. `learned`: what lies below it, and
 * the mark of a setting that is from there.
 */
export function scenarioText(
  given: ScenarioFile,
  fixtures: Fixtures,
  learned: { readonly file: ScenarioFile; readonly markOf: MarkOf } = {
    file: given,
    markOf: () => undefined,
  },
): string {
  const { file, markOf } = learned
  const whole = overlay(allDefaults(file, fixtures), withoutNulls(file) as ScenarioFile)
  const fields = Object.keys(scenario.fields)
  const named = Object.entries(whole).sort(([a], [b]) => fields.indexOf(a) - fields.indexOf(b))
  const document = new Document(Object.fromEntries(named))
  markOthers(document.contents, given, markOf)
  return writeSteps(document)
}

/** Writes a scenario. Lists hold many small maps: one line each. A step has one line for each of its fields. */
export function writeSteps(document: Document): string {
  visit(document, {
    Seq: (_key, seq) => {
      for (const item of seq.items) flowInside(item, seq)
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

function allDefaults(file: ScenarioFile, fixtures: Fixtures): ScenarioFile {
  const { reset: _reset, ...usual } = defaultsOf(scenario)
  const { bans } = file
  return {
    ...usual,
    key: featuredKey({}, effectiveKeys(file, fixtures)),
    clock: file.clock?.frozen === true ? {} : defaultsOf(clock),
    plans: shippedPlans,
    keys: keysOf(fixtures),
    pets: { ...defaultsOf(pets), count: effectivePetCount({}, fixtures) },
    limits: defaultsOf(limits),
    deprecation: defaultsOf(deprecation),
    ...(bans !== 'off' && {
      bans: { ...defaultsOf(banFields), ...(bans?.escalate && { escalate: defaultsOf(escalation) }) },
    }),
    rehearsal: { ...defaultsOf(rehearsal), conduct: defaultsOf(rehearsedConduct) },
  }
}

function markOthers(node: unknown, given: unknown, markOf: MarkOf, path = ''): void {
  if (!isMap(node)) return
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const name = String(pair.key.value)
    const own = isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined
    const place = `${path}${name}`
    const mark = markOf(place)
    if (mark !== undefined && isNode(pair.value)) pair.value.comment = ` ${mark}`
    else if (isMap(pair.value)) markOthers(pair.value, own, markOf, `${place}.`)
    else if (own === undefined || own === null) (pair.value as Node).comment = ' default'
  }
}

function flowInside(item: unknown, list: Node & { flow?: boolean }): void {
  const isStep = item instanceof YAMLMap && ['call', 'advance', 'change', 'note'].some(name => item.has(name))
  if (!isCollection(item)) list.flow = true
  else if (!isStep) item.flow = true
  else for (const { value } of item.items) if (isCollection(value)) value.flow = true
}

/** Drops nulls, except where null removes a fixture's key or plan. */
function withoutNulls(value: object, keepsNulls = false): unknown {
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined || (field === null && !keepsNulls)) return []
    return [[name, isObject(field) ? withoutNulls(field, name === 'keys' || name === 'plans') : field]]
  })
  return Object.fromEntries(fields)
}

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
  const value = body === undefined ? undefined : jsonIn(body)
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
  const value = jsonIn(body)
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

function duration(ms: number | undefined): Duration | undefined {
  return ms === undefined ? undefined : formatDuration(ms)
}

/** Undefined if every field is. */
function given<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some(value => value !== undefined) ? fields : undefined
}

/** A situation as a scenario file. `about`: the comment at its top. */
export function writeSituation(file: ScenarioFile, about: string): string {
  const document = new Document(file)
  document.commentBefore = ` ${about}`
  return writeSteps(document)
}
