import { isObject } from '../../base/json/is-object.ts'
import { choices, texts, wholeNumbers } from '../../base/text/constraint.ts'
import { operationIds } from '../../service/operations/operations.ts'
import {
  either,
  type Field,
  field,
  itemMap,
  list,
  type MapShape,
  required,
  type Shape,
} from '../fields/field.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { bans, conventions, deprecation, limits } from '../scenario/settings/behaviour.ts'
import { scenario } from '../scenario/settings/scenario.ts'

/** A setting that fills a gap of the specification, and whose value a client can observe. */
export interface AssumedSetting {
  /** Its place in a scenario: `limits.window`, `errors.pet_not_found`. */
  readonly path: string
  /** Its entry in docs/assumptions.md. */
  readonly assumption: string
  readonly shape: Shape
  /** The default. */
  readonly usual: unknown
  /** Other lawful values. */
  readonly samples: readonly unknown[]
}

const { latency: _latency, ...observable } = conventions.fields
const { defaultStatus } = scenario.fields.pets.shape.fields

export const assumedSettings: readonly AssumedSetting[] = [
  ...settingsIn('limits', { shape: limits }),
  ...settingsIn('bans', { shape: bans }, 'A10'),
  ...Object.entries(observable).flatMap(([name, field]) => settingsIn(name, field)),
  ...settingsIn('pets.defaultStatus', defaultStatus),
  ...settingsIn('deprecation', { shape: deprecation }, 'A17'),
]

/** The settings of a declaration that have samples, by their paths. */
function settingsIn(
  path: string,
  { shape, assumption: own, samples, default: usual }: Partial<Field> & Pick<Field, 'shape'>,
  above = '',
): readonly AssumedSetting[] {
  const assumption = own ?? above
  if (shape.type === 'names' && shape.name.values !== undefined)
    return shape.name.values.flatMap(name =>
      settingsIn(`${path}.${name}`, { shape: shape.each, ...(samples && { samples }) }, assumption),
    )
  const values = samples ?? othersOf(shape, usual)
  if (values !== undefined) return [{ path, assumption, shape, usual, samples: values }]
  if (shape.type === 'either')
    return shape.options.flatMap(option =>
      option.type === 'map' ? settingsIn(path, { shape: option }, assumption) : [],
    )
  if (shape.type !== 'map') return []
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    settingsIn(`${path}.${name}`, field, assumption),
  )
}

function othersOf(shape: Shape, usual: unknown): readonly unknown[] | undefined {
  if (shape.type === 'choice') return shape.values?.filter(value => value !== usual)
  return shape.type === 'flag' ? [usual !== true] : undefined
}

/** The value of a setting in a scenario; undefined: the scenario does not give it. Bans that are off give all of theirs. */
export function readSetting(file: ScenarioFile, path: string): unknown {
  let value: unknown = file
  for (const name of path.split('.')) {
    if (value === 'off') return value
    value = isObject(value) ? value[name] : undefined
  }
  return value ?? undefined
}

/** A scenario with one setting. */
export function settingAt(path: string, value: unknown): ScenarioFile {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as ScenarioFile
}

/** The value of a setting without a default that a service does not use. */
export const none = 'none'

export const isLatency = (path: string): boolean => path.startsWith('latency.')

const isError = (path: string): boolean => path.startsWith('errors.')

const states = ['observed', 'inferred', 'bounded', 'contradicted', 'other'] as const
const counts = wholeNumbers('a whole number (1 or more)', 1)
const days = texts('a day, such as 2026-11-22', /^\d{4}-\d\d-\d\d$/)
const sighted = { seen: required(counts, ''), last: required(days, '') }

/** In a file, an error and a latency have their own fields beside `state`, not within `value`. */
function lineShape(path: string, value: Shape): MapShape {
  if (isLatency(path) && value.type === 'map') return itemMap({ ...value.fields, ...sighted })
  const shows = field(texts('a text', /^[\w=, ]+$/), '')
  const about = { state: required(choices(...states), ''), shows, ...sighted }
  const sighting = itemMap({ value: required(value, ''), ...sighted, windows: required(counts, '') })
  const values = field(list(sighting), '')
  if (isError(path) && value.type === 'map') return itemMap({ ...value.fields, values, ...about })
  const own = field(value, '')
  return itemMap({ value: own, atLeast: own, atMost: own, values, ...about })
}

const latency = conventions.fields.latency.shape.options.find(({ type }) => type === 'names')
const latencyOf = latency?.type === 'names' ? latency.each : itemMap({})

const shapes: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    assumedSettings.map(({ path, shape, usual }) => [
      path,
      // What has no default can be known to be absent.
      usual === undefined && !isError(path) ? either(`a value or ${none}`, choices(none), shape) : shape,
    ]),
  ),
  ...Object.fromEntries(operationIds.map(id => [`latency.${id}`, latencyOf])),
}

/** The paths of all lines, in the order in which files have them. */
export const linePaths: readonly string[] = Object.keys(shapes)

const lines = Object.entries(shapes).map(([path, shape]) => [path, field(lineShape(path, shape), '')])

export const profileShape = itemMap({
  profile: required(choices(1), ''),
  service: required(texts('a URL', /^https?:\/\/[^\s?#@]+$/), ''),
  learned: required(itemMap(Object.fromEntries(lines)), ''),
  unknown: required(list(choices(...linePaths)), ''),
})
