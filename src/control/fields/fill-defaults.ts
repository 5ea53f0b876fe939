import type { Shape } from './field.ts'
import { isMap } from './values.ts'

/* Only snapshots need it: a page loads it late. */

/** Adds the declared defaults of absent fields to a checked value. Parts that lack none stay the same. */
export function fillDefaults(shape: Shape, value: unknown): unknown {
  switch (shape.type) {
    case 'map': {
      if (!isMap(value)) return value
      const filled = Object.entries(shape.fields).flatMap(([name, field]) => {
        const own = value[name]
        const whole = own === undefined ? field.default : fillDefaults(field.shape, own)
        return whole === own ? [] : [[name, whole] as const]
      })
      return filled.length === 0 ? value : { ...value, ...Object.fromEntries(filled) }
    }
    case 'list': {
      // A list may hold a million pets.
      if (!Array.isArray(value) || !hasDefaults(shape.each)) return value
      return value.map(item => fillDefaults(shape.each, item))
    }
    case 'chosen':
      return fillDefaults(shape.choose(value), value)
    default:
      return value
  }
}

function hasDefaults(shape: Shape): boolean {
  if (shape.type === 'list') return hasDefaults(shape.each)
  if (shape.type !== 'map') return false
  return Object.values(shape.fields).some(field => field.default !== undefined || hasDefaults(field.shape))
}
