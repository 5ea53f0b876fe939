import { showFlow } from '../../../control/files/show.ts'
import type { DescriptionNode } from './description-node.ts'
import { type FlatSchema, flatten } from './flat-schema.ts'

/** A statement of the user's description that the emulator does not follow. */
export interface Contradiction {
  readonly node: DescriptionNode
  readonly message: string
}

/** A contradiction, unless both sides say the same. */
export function contradict(
  node: DescriptionNode,
  subject: string,
  here: string,
  emulator: string,
): readonly Contradiction[] {
  return here === emulator
    ? []
    : [{ node, message: `${subject} is ${here} here, but ${emulator} in the emulator` }]
}

/** Whether the client sends a value, or the emulator answers with it. */
export type Direction = 'sent' | 'answered'

/** Keywords that limit a value. One that only one side has is a difference, too. */
const limits = (
  'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern ' +
  'minItems maxItems uniqueItems'
).split(' ')
/** Keywords that differ only if both sides have them. */
const annotations = ['type', 'format', 'default']

const deepest = 20

/** How a user's schema differs from the emulator's. `name` is what messages call the value. */
export function compareSchemas(
  theirs: DescriptionNode,
  ours: DescriptionNode,
  name: string,
  direction: Direction,
  depth = 0,
): readonly Contradiction[] {
  const [their, our] = [flatten(theirs), flatten(ours)]
  // A schema that the specification leaves open allows any other.
  if (depth > deepest || our.keywords.get('additionalProperties')?.value === true) return []
  const [theirItems, ourItems] = [their.keywords.get('items'), our.keywords.get('items')]
  return [
    ...compareKeywords(their, our, name),
    ...compareProperties(their, our, name, direction),
    ...Array.from(our.properties).flatMap(([property, node]) => {
      const theirNode = their.properties.get(property)
      return theirNode ? compareSchemas(theirNode, node, property, direction, depth + 1) : []
    }),
    ...(theirItems && ourItems
      ? compareSchemas(theirItems, ourItems, `the items of ${name}`, direction, depth + 1)
      : []),
  ]
}

function compareKeywords(their: FlatSchema, our: FlatSchema, name: string): readonly Contradiction[] {
  return [...annotations, ...limits].flatMap(keyword => {
    const [here, emulator] = [keywordText(their, keyword), keywordText(our, keyword)]
    if (annotations.includes(keyword) && (here === undefined || emulator === undefined)) return []
    const node = their.keywords.get(keyword) ?? their.node
    return contradict(node, `${keyword} of ${name}`, here ?? 'not set', emulator ?? 'not set')
  })
}

/** The order of the values in a list has no meaning. */
function keywordText({ keywords, types }: FlatSchema, keyword: string): string | undefined {
  if (keyword === 'type') return types.size === 0 ? undefined : [...types].toSorted().join(' or ')
  const value = keywords.get(keyword)?.value
  if (value === undefined) return undefined
  return showFlow(Array.isArray(value) ? value.map(showFlow).toSorted() : value)
}

function compareProperties(
  their: FlatSchema,
  our: FlatSchema,
  name: string,
  direction: Direction,
): readonly Contradiction[] {
  const names = new Set([...our.properties.keys(), ...their.properties.keys(), ...their.required.keys()])
  const closed = their.keywords.get('additionalProperties')
  const isClosed = closed?.value === false && our.properties.size > 0
  const unknownFields =
    isClosed && direction === 'sent'
      ? contradict(closed, `an unknown field of ${name}`, 'an error', 'ignored')
      : []
  const compared = [...names].flatMap(property => {
    const [theirs, ours] = [their.properties.get(property), our.properties.get(property)]
    const [required, needed] = [their.required.get(property), our.required.has(property)]
    const node = required ?? theirs ?? their.node
    if (ours === undefined && (our.properties.size > 0 || required))
      return contradict(node, property, required ? 'required' : 'described', 'unknown')
    if (theirs === undefined && isClosed) return contradict(closed, property, 'not allowed', 'allowed')
    // A response may have more than the description requires.
    const emulator = needed && (required || direction === 'sent') ? 'required' : 'optional'
    return contradict(node, property, required ? 'required' : 'optional', emulator)
  })
  return [...unknownFields, ...compared]
}
