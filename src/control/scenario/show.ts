import { Document, isCollection, isMap, isPair, isScalar, isSeq, type Node, visit, YAMLMap } from 'yaml'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { defaultsOf } from './defaults.ts'
import type { ScenarioFile } from './file.ts'
import { overlay } from './merge.ts'

/** In the order in which a person reads a scenario. */
const order: readonly string[] = [
  'title',
  'description',
  'key',
  'seed',
  'clock',
  'plans',
  'keys',
  'pets',
  'limits',
  'bans',
  'pageSize',
  'pagination',
  'deprecation',
]

/** A merged scenario as a file that says everything: what holds by default is marked so. */
export function scenarioText(file: ScenarioFile, fixtures: Fixtures): string {
  const whole = overlay(defaultsOf(file, fixtures), withoutNulls(file) as ScenarioFile)
  const { walkthrough, ...rest } = whole
  const last = walkthrough === undefined ? {} : { walkthrough }
  const named = Object.entries(rest).sort(([a], [b]) => placeOf(a) - placeOf(b))
  const document = new Document({ ...Object.fromEntries(named), ...last })
  markDefaults(document.contents, file)
  // Lists hold many small maps: one line each, or one for each of a step's fields.
  visit(document, {
    Seq: (_key, seq) => {
      for (const item of seq.items) flowInside(item, seq)
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

function placeOf(name: string): number {
  const place = order.indexOf(name)
  return place === -1 ? order.length : place
}

function markDefaults(node: unknown, said: unknown): void {
  if (!isMap(node)) return
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const own = fieldOf(said, String(pair.key.value))
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

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** A null that removes is not there any more, but a name that the fixtures give stays removed by one. */
function withoutNulls(value: ScenarioFile): unknown {
  const kept = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(kept.map(([name, field]) => [name, cleaned(name, field)]))
}

function cleaned(name: string, value: unknown): unknown {
  if (name === 'walkthrough' || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const isOfNames = name === 'keys' || name === 'plans'
  const kept = Object.entries(value).filter(
    ([, field]) => field !== undefined && (field !== null || isOfNames),
  )
  return Object.fromEntries(kept.map(([inner, field]) => [inner, cleaned(inner, field)]))
}
