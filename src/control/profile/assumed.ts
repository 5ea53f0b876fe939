import { isObject } from '../../base/json/is-object.ts'
import type { Field, Shape } from '../fields/field.ts'
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
