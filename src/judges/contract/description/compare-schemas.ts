import { showFlow } from '../../../control/files/show.ts'
import type { Files, Spot } from './description-node.ts'
import { type FlatSchema, flatten } from './flat-schema.ts'

/** Something that a contract says and the emulator does otherwise. */
export interface Contradiction {
  /** Where the contract says it. */
  readonly spot: Spot
  /** The part of a sentence. */
  readonly message: string
}

export interface Side {
  readonly spot: Spot
  readonly files: Files
}

/** `sent`: what a client sends, which the emulator judges. `answered`: what it answers itself. */
export type Direction = 'sent' | 'answered'

/** Limits that one of both can lack. */
const limits = [
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
]
/** What only says something where both have it. */
const told = ['format', 'default']

const deepest = 20

/** How a contract's schema differs from what the emulator does. `name`: of the value, for the messages. */
export function compareSchemas(
  theirs: Side,
  ours: Side,
  name: string,
  direction: Direction,
  depth = 0,
): readonly Contradiction[] {
  const [their, our] = [flatten(theirs.spot, theirs.files), flatten(ours.spot, ours.files)]
  // What is open in the specification is open here.
  if (depth > deepest || our.keywords.get('additionalProperties')?.value === true) return []
  const within = (spots: readonly [Spot | undefined, Spot | undefined], inner: string) => {
    const [theirSpot, ourSpot] = spots
    if (theirSpot === undefined || ourSpot === undefined) return []
    const sides = [
      { ...theirs, spot: theirSpot },
      { ...ours, spot: ourSpot },
    ] as const
    return compareSchemas(...sides, inner, direction, depth + 1)
  }
  return [
    ...compareTypes(their, our, name),
    ...[...limits, ...told].flatMap(keyword => compareKeyword(their, our, keyword, name)),
    ...compareRequired(their, our, direction),
    ...compareProperties(their, our, name, direction),
    ...[...our.properties].flatMap(([property, spot]) =>
      within([their.properties.get(property), spot], property),
    ),
    ...within([their.keywords.get('items'), our.keywords.get('items')], `the items of ${name}`),
  ]
}

function compareTypes(their: FlatSchema, our: FlatSchema, name: string): readonly Contradiction[] {
  const [theirTypes, ourTypes] = [[...their.types], [...our.types]].map(types =>
    types.toSorted().join(' or '),
  )
  if (theirTypes === '' || ourTypes === '' || theirTypes === ourTypes) return []
  const spot = their.keywords.get('type') ?? their.spot
  return [{ spot, message: `${name} is ${theirTypes} here; to the emulator it is ${ourTypes}` }]
}

function compareKeyword(
  their: FlatSchema,
  our: FlatSchema,
  keyword: string,
  name: string,
): readonly Contradiction[] {
  const [theirSpot, ourSpot] = [their.keywords.get(keyword), our.keywords.get(keyword)]
  if (told.includes(keyword) && (theirSpot === undefined || ourSpot === undefined)) return []
  const [theirText, ourText] = [showKeyword(theirSpot), showKeyword(ourSpot)]
  if (theirText === ourText) return []
  return [
    {
      spot: theirSpot ?? their.spot,
      message: `${keyword} of ${name} is ${theirText ?? 'not set'} here; the emulator has ${ourText ?? 'none'}`,
    },
  ]
}

/** The order in which the values of an enumeration are written means nothing. */
function showKeyword(spot: Spot | undefined): string | undefined {
  if (spot?.value === undefined) return undefined
  return Array.isArray(spot.value)
    ? showFlow(spot.value.map(item => showFlow(item)).toSorted())
    : showFlow(spot.value)
}

function compareRequired(their: FlatSchema, our: FlatSchema, direction: Direction): readonly Contradiction[] {
  const further = [...their.required].filter(([name]) => !our.required.has(name))
  const fewer = [...our.required.keys()].filter(name => !their.required.has(name))
  const does =
    direction === 'sent' ? 'the emulator takes what comes without it' : 'the emulator may answer without it'
  return [
    ...further.map(([name, spot]) => ({ spot, message: `${name} is required here; ${does}` })),
    ...(direction === 'answered' ? [] : fewer).map(name => ({
      spot: their.properties.get(name) ?? their.spot,
      message: `${name} is not required here; the emulator refuses what comes without it`,
    })),
  ]
}

function compareProperties(
  their: FlatSchema,
  our: FlatSchema,
  name: string,
  direction: Direction,
): readonly Contradiction[] {
  if (our.properties.size === 0) return []
  const closed = their.keywords.get('additionalProperties')
  const isClosed = closed?.value === false
  const unknown = [...their.properties].filter(([property]) => !our.properties.has(property))
  const missing = [...our.properties.keys()].filter(property => !their.properties.has(property))
  const ignored = unknown.map(([property, spot]) => ({
    spot,
    message: `the emulator does not know ${property}`,
  }))
  if (!isClosed || closed === undefined) return ignored
  return [
    ...ignored,
    ...(direction === 'sent'
      ? [{ spot: closed, message: `${name} may have no other fields here; the emulator ignores them` }]
      : []),
    ...missing.map(property => ({
      spot: closed,
      message: `${name} has no ${property} here; to the emulator it may have one`,
    })),
  ]
}
