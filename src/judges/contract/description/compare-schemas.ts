import { showFlow } from '../../../control/files/show.ts'
import type { DescriptionNode } from './description-node.ts'
import { type FlatSchema, flatten } from './flat-schema.ts'

/** A statement of the user's description that the emulator does not follow. */
export interface Contradiction {
  readonly node: DescriptionNode
  readonly message: string
}

export function contradict(
  node: DescriptionNode,
  subject: string,
  here: string,
  emulator: string,
): Contradiction {
  return { node, message: `${subject} is ${here} here, but ${emulator} in the emulator` }
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
    const isMissing = here === undefined || emulator === undefined
    if (here === emulator || (isMissing && annotations.includes(keyword))) return []
    const node = their.keywords.get(keyword) ?? their.node
    return [contradict(node, `${keyword} of ${name}`, here ?? 'not set', emulator ?? 'not set')]
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
  const unexpected = isClosed && direction === 'sent'
  return [
    ...(unexpected ? [contradict(closed, `an unknown field of ${name}`, 'an error', 'ignored')] : []),
    ...[...names].flatMap(property => {
      const [theirs, ours] = [their.properties.get(property), our.properties.get(property)]
      const [isNeeded, needs] = [their.required.get(property), our.required.has(property)]
      const node = isNeeded ?? theirs ?? their.node
      if (ours === undefined && (our.properties.size > 0 || isNeeded))
        return [contradict(node, property, isNeeded ? 'required' : 'described', 'unknown')]
      if (theirs === undefined && isClosed) return [contradict(closed, property, 'not allowed', 'allowed')]
      if (isNeeded && !needs) return [contradict(node, property, 'required', 'optional')]
      return needs && !isNeeded && direction === 'sent'
        ? [contradict(node, property, 'optional', 'required')]
        : []
    }),
  ]
}
