import { numbers, wholeNumbers } from '../../../base/text/constraint.ts'
import { firstInstant } from '../../../base/time/clock.ts'
import { formatDuration, parseDuration } from '../../../base/time/duration.ts'
import { formatInstant, parseInstant } from '../../../base/time/instant.ts'
import { type Field, type Fields, itemMap, list, type MapShape, type Shape } from '../../fields/field.ts'
import { isMap } from '../../fields/values.ts'

export const ms = numbers('a number (0 or more)', 0)
export const count = wholeNumbers('a whole number (0 or more)', 0)
export const instant = numbers(
  'milliseconds since the epoch, in the years 0 to 9999',
  firstInstant,
  parseInstant('9999-12-31T23:59:59.999Z') ?? 0,
)

/**
 * A map of settings as a snapshot has it: each is decided, durations and instants are milliseconds. One that the snapshot
 * does not have takes its declared default, since an older version may have written it; a list is empty.
 */
export function settled({ fields }: MapShape): MapShape {
  const decided = Object.entries(fields).map(([name, field]) => [nameOf(name, field), settledField(field)])
  return itemMap(Object.fromEntries(decided))
}

function settledField({ shape, required, default: usual }: Field): Field {
  const field = { about: '', examples: [], required }
  if (shape.type === 'duration') return { ...field, shape: ms, default: parseDuration(`${usual}`) }
  if (shape.type === 'instant') return { ...field, shape: instant, default: parseInstant(`${usual}`) }
  if (shape.type === 'list') return { ...field, shape: list(settledShape(shape.each)), default: usual ?? [] }
  return { ...field, shape: settledShape(shape), default: usual }
}

function settledShape(shape: Shape): Shape {
  return shape.type === 'map' ? settled(shape) : shape
}

const nameOf = (name: string, { shape }: Field) => (shape.type === 'duration' ? `${name}Ms` : name)

/** Decides settings that their declaration accepted, as `settled` describes them. */
export function settleMap<T extends object>({ fields }: MapShape, given: object): T {
  const values = new Map<string, unknown>(Object.entries(given))
  const decided = Object.entries(fields).map(([name, field]) => [
    nameOf(name, field),
    settleValue(field.shape, values.get(name) ?? field.default),
  ])
  return Object.fromEntries(decided) as T
}

function settleValue(shape: Shape, value: unknown): unknown {
  if (shape.type === 'list')
    return Array.isArray(value) ? value.map(item => settleValue(shape.each, item)) : []
  if (value === undefined || value === null) return undefined
  if (shape.type === 'duration') return parseDuration(`${value}`)
  if (shape.type === 'instant') return parseInstant(`${value}`)
  return shape.type === 'map' && isMap(value) ? settleMap(shape, value) : value
}

/** The settings that differ from the defaults, as a scenario has them. Undefined if none does. */
export function formatUnusual<T extends object>(shape: MapShape, settings: object): T | undefined {
  const usual = new Map(Object.entries(settleMap(shape, {})))
  const own = Object.entries(settings).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(usual.get(name)),
  )
  return own.length === 0 ? undefined : (formatMap(shape, Object.fromEntries(own)) as T)
}

function formatMap({ fields }: MapShape, settings: object): object {
  const values = new Map<string, unknown>(Object.entries(settings))
  const given = Object.entries(fields).flatMap(([name, field]) => {
    const value = values.get(nameOf(name, field))
    return value === undefined ? [] : [[name, formatValue(field.shape, value)]]
  })
  return Object.fromEntries(given)
}

function formatValue(shape: Shape, value: unknown): unknown {
  if (shape.type === 'list')
    return Array.isArray(value) ? value.map(item => formatValue(shape.each, item)) : []
  if (shape.type === 'duration') return formatDuration(Number(value))
  if (shape.type === 'instant') return formatInstant(Number(value))
  return shape.type === 'map' && isMap(value) ? formatMap(shape, value) : value
}

type Defaults<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { readonly default: unknown }
    ? Name
    : never]: F[Name]['default']
}

/** The declared defaults of a map's fields, by name. */
export function defaultsOf<F extends Fields>({ fields }: MapShape<F>): Defaults<F> {
  const given = Object.entries(fields).filter(([, field]) => field.default !== undefined)
  return Object.fromEntries(given.map(([name, field]) => [name, field.default])) as Defaults<F>
}

/** Adds to the defaults each field that is given: neither `null` nor `undefined`. */
export function withDefaults<T extends object>(
  defaults: T,
  given: { readonly [Name in keyof T]?: T[Name] | null | undefined },
): T {
  const own = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { ...defaults, ...Object.fromEntries(own) }
}
