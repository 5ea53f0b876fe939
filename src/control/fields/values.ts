import type { Constraint } from '../../base/text/constraint.ts'
import { suggest } from '../../base/text/did-you-mean.ts'
import type { Shape } from './field.ts'

/** A plain object, also one of another realm such as a test runner's. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** What a shape expects in place of a value, in words that follow "expected". */
export function expectation(shape: Shape, found: unknown): string {
  switch (shape.type) {
    case 'text':
      return typeof found === 'string' ? shape.expected : shape.expected.replace(/^text .*/, 'text')
    case 'duration':
      return typeof found === 'number' && found >= 0 && Number.isFinite(found)
        ? `a duration with its unit (write ${found}s or ${found}ms)`
        : shape.expected
    case 'map':
    case 'tagged':
      return 'a map of fields'
    case 'names':
      return 'a map of names'
    case 'list':
      return 'a list'
    case 'json':
      return 'a JSON value'
    case 'chosen':
      return expectation(shape.choose(found), found)
    default:
      return shape.expected
  }
}

/** What to write instead, for the usual slips. */
export function hint(shape: Constraint, found: unknown): string {
  switch (shape.type) {
    case 'flag':
      if (typeof found !== 'string') return ''
      if (/^(y|yes|on|true)$/i.test(found)) return ': write true'
      return /^(n|no|off|false)$/i.test(found) ? ': write false' : ''
    case 'text':
      return typeof found === 'number' || typeof found === 'boolean' ? `: write "${found}", in quotes` : ''
    case 'choice':
      return typeof found === 'string' ? suggest(found, (shape.values ?? []).map(String)) : ''
    case 'number':
    case 'int64':
      return Number.isInteger(found) && !Number.isSafeInteger(found)
        ? ' (a number beyond 2^53 is not exact; an id may be a bigint)'
        : ''
    default:
      return ''
  }
}

/** Whether a value is of the kind that a shape describes, right or wrong otherwise. */
export function isOfKind(shape: Shape, value: unknown): boolean {
  switch (shape.type) {
    case 'text':
    case 'instant':
      return typeof value === 'string'
    case 'duration':
      return typeof value === 'string' || typeof value === 'number'
    case 'number':
      return typeof value === 'number'
    case 'int64':
      return typeof value === 'number' || typeof value === 'bigint'
    case 'flag':
    case 'choice':
      return shape.accepts(value)
    case 'list':
    case 'pair':
      return Array.isArray(value)
    case 'chosen':
      return isOfKind(shape.choose(value), value)
    default:
      return isMap(value)
  }
}
