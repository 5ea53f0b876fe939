import { suggest } from '../../../base/text/did-you-mean.ts'
import type { Complaint } from '../../../control/files/complaint.ts'
import { showValue } from '../../../control/files/show.ts'
import {
  below,
  complaintAbout,
  type Files,
  fieldsOf,
  follow,
  itemsOf,
  mapOf,
  type Spot,
} from './description-node.ts'

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** Keywords with one schema, with a list of them, and with a map of them. */
const single = ['items', 'not', 'additionalProperties', 'contains', 'propertyNames', 'if', 'then', 'else']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const numbers = [
  'minimum',
  'multipleOf',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
]

/** What is wrong with a schema and with those below it. `seen`: places that are looked at already. */
export function checkSchema(spot: Spot, files: Files, seen: Set<string>): readonly Complaint[] {
  if (spot.value === undefined || typeof spot.value === 'boolean') return []
  const schema = follow(spot, files)
  if (schema === undefined || typeof schema.value === 'boolean') return []
  const place = `${schema.document.file}#${schema.path.join('/')}`
  if (seen.has(place)) return []
  seen.add(place)
  if (mapOf(schema) === undefined)
    return [
      complaintAbout(
        schema,
        `expected a schema, a map such as { type: string }, found ${showValue(schema.value)}`,
      ),
    ]
  const inner = [
    ...single.map(name => below(schema, name)),
    ...lists.flatMap(name => itemsOf(below(schema, name))),
    ...maps.flatMap(name => fieldsOf(below(schema, name)).map(([, field]) => field)),
  ]
  return [...checkKeywords(schema), ...inner.flatMap(field => checkSchema(field, files, seen))]
}

function checkKeywords(schema: Spot): readonly Complaint[] {
  const complaints: Complaint[] = []
  const expect = (name: string, expected: string, fits: (spot: Spot) => boolean, hint = '') => {
    const spot = below(schema, name)
    if (spot.value !== undefined && !fits(spot))
      complaints.push(complaintAbout(spot, `expected ${expected}, found ${showValue(spot.value)}${hint}`))
  }
  const { value: type } = below(schema, 'type')
  const hint = typeof type === 'string' ? suggest(type, types) : ''
  expect(
    'type',
    `one of ${types.join(', ')}`,
    ({ value }) => [value].flat().every(name => types.includes(`${name}`)),
    hint,
  )
  expect('enum', 'a list of values', ({ value }) => Array.isArray(value) && value.length > 0)
  expect(
    'required',
    'a list of names',
    ({ value }) => Array.isArray(value) && value.every(name => typeof name === 'string'),
  )
  for (const name of maps) expect(name, 'a map of schemas', spot => mapOf(spot) !== undefined)
  for (const name of lists)
    expect(name, 'a list of schemas', ({ value }) => Array.isArray(value) && value.length > 0)
  for (const name of numbers)
    expect(name, 'a number', ({ value }) => typeof value === 'number' || typeof value === 'bigint')
  expect('pattern', 'a regular expression', ({ value }) => isPattern(value))
  return complaints
}

/** Ajv reads them with the flag `u`; many are written for readers without. */
function isPattern(value: unknown): boolean {
  return typeof value === 'string' && ['u', ''].some(flags => compiles(value, flags))
}

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).flags === flags
  } catch {
    return false
  }
}
