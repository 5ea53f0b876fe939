import { choices, texts, wholeNumbers } from '../../base/text/constraint.ts'
import { operationIds } from '../../service/operations/operations.ts'
import { either, field, itemMap, list, type MapShape, required, type Shape } from '../fields/field.ts'
import { conventions } from '../scenario/settings/behaviour.ts'
import { assumedSettings, isLatency, none } from './assumed.ts'

const isError = (path: string): boolean => path.startsWith('errors.')

const states = ['observed', 'inferred', 'bounded', 'contradicted'] as const
const counts = wholeNumbers('a whole number (1 or more)', 1)
const days = texts('a day, such as 2026-11-22', /^\d{4}-\d\d-\d\d$/)
const sighted = { seen: required(counts, ''), last: required(days, '') }

/** In a file, an error and a latency have their own fields beside `state`, not within `value`. */
function lineShape(path: string, value: Shape): MapShape {
  if (isLatency(path) && value.type === 'map') return itemMap({ ...value.fields, ...sighted })
  const about = { state: required(choices(...states), ''), ...sighted }
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
