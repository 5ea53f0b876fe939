import { Document, isCollection, isMap, isPair, isScalar, isSeq, type Node, visit, YAMLMap } from 'yaml'
import { isObject } from '../../base/json/is-object.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { effectiveKeys, effectivePetCount, featuredKey, keysOf } from './effective.ts'
import { overlay } from './extend.ts'
import type { ScenarioFile } from './file.ts'
import { banFields, deprecation, escalation, limits } from './settings/behaviour.ts'
import { defaultsOf } from './settings/defaults.ts'
import { rehearsal, rehearsedConduct } from './settings/rehearsal.ts'
import { scenario } from './settings/scenario.ts'
import { clock, pets } from './settings/world.ts'

/** A merged scenario as a file with every setting. Values that hold by default are marked. */
export function scenarioText(file: ScenarioFile, fixtures: Fixtures): string {
  const whole = overlay(allDefaults(file, fixtures), withoutNulls(file) as ScenarioFile)
  const fields = Object.keys(scenario.fields)
  const named = Object.entries(whole).sort(([a], [b]) => fields.indexOf(a) - fields.indexOf(b))
  const document = new Document(Object.fromEntries(named))
  markDefaults(document.contents, file)
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

/** The defaults of all settings, as a scenario. */
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

function markDefaults(node: unknown, given: unknown): void {
  if (!isMap(node)) return
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const name = String(pair.key.value)
    const own = isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined
    if (isMap(pair.value)) markDefaults(pair.value, own)
    else if (own === undefined || own === null) (pair.value as Node).comment = ' default'
  }
}

function flowInside(item: unknown, list: Node & { flow?: boolean }): void {
  const isStep = item instanceof YAMLMap && ['call', 'advance', 'change', 'note'].some(name => item.has(name))
  if (!isCollection(item)) list.flow = true
  else if (!isStep) item.flow = true
  else for (const { value } of item.items) if (isMap(value) || isSeq(value)) value.flow = true
}

/** Drops nulls, except where null removes a fixture's key or plan. */
function withoutNulls(value: object, keepsNulls = false): unknown {
  const kept = Object.entries(value).filter(
    ([, field]) => field !== undefined && (field !== null || keepsNulls),
  )
  return Object.fromEntries(
    kept.map(([name, field]) => [
      name,
      isObject(field) ? withoutNulls(field, name === 'keys' || name === 'plans') : field,
    ]),
  )
}
