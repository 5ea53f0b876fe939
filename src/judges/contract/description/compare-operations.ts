import { type Contradiction, compareSchemas, contradict, type Direction } from './compare-schemas.ts'
import type { DescriptionNode } from './description-node.ts'

/** An operation of a user's description. */
export interface UserOperation {
  readonly root: DescriptionNode
  readonly operation: DescriptionNode
  /** The parameters of its path, for all operations. */
  readonly shared: readonly DescriptionNode[]
}

/** How a user's operation differs from the emulator's. */
export function compareOperations(
  { root, operation: theirs, shared }: UserOperation,
  ours: DescriptionNode,
): readonly Contradiction[] {
  return [
    ...compareParameters(theirs, ours, shared),
    ...compareContent(theirs.at('requestBody'), ours.at('requestBody'), 'the body', 'sent'),
    ...compareResponses(theirs.at('responses'), ours.at('responses')),
    ...compareDeprecation(theirs, ours),
    ...compareSecurity(root, theirs),
  ]
}

function compareParameters(
  theirs: DescriptionNode,
  ours: DescriptionNode,
  shared: readonly DescriptionNode[],
): readonly Contradiction[] {
  const their = parametersByKey([...shared, ...theirs.at('parameters').items])
  const our = parametersByKey(ours.at('parameters').items)
  return [...new Set([...their.keys(), ...our.keys()])].flatMap(key => {
    const [theirNode, ourNode] = [their.get(key), our.get(key)]
    const name = `${(ourNode ?? theirNode)?.at('name').value}`
    const subject = `the parameter ${name}`
    if (theirNode === undefined)
      // What is only assumed may be missing.
      return ourNode?.at('x-assumption').value === undefined
        ? [contradict(theirs, subject, 'missing', 'supported')]
        : []
    if (ourNode === undefined)
      return /^header (?:authorization|accept|content-type)$/i.test(key)
        ? []
        : [contradict(theirNode, subject, 'described', 'ignored')]
    const isRequired = (node: DescriptionNode) => node.at('required').value === true
    return [
      ...(isRequired(theirNode) && !isRequired(ourNode)
        ? [contradict(theirNode, subject, 'required', 'optional')]
        : []),
      ...compareSchemas(theirNode.at('schema'), ourNode.at('schema'), name, 'sent'),
    ]
  })
}

/** Parameters by place and name. The name of a path parameter makes no difference. */
function parametersByKey(nodes: readonly DescriptionNode[]): ReadonlyMap<string, DescriptionNode> {
  const parameters = nodes.flatMap(node => node.follow() ?? [])
  return new Map(
    parameters.map(node => {
      const place = node.at('in').value
      return [place === 'path' ? place : `${place} ${node.at('name').value}`, node]
    }),
  )
}

function compareContent(
  theirs: DescriptionNode,
  ours: DescriptionNode,
  name: string,
  direction: Direction,
): readonly Contradiction[] {
  const [their, our] = [theirs, ours].map(node =>
    node.follow()?.at('content', 'application/json', 'schema').follow(),
  )
  return their?.value === undefined || our?.value === undefined
    ? []
    : compareSchemas(their, our, name, direction)
}

function compareResponses(theirs: DescriptionNode, ours: DescriptionNode): readonly Contradiction[] {
  const [success = ''] = ours.fields.map(([status]) => status)
  const status = [success, '2XX', 'default'].find(name => theirs.at(name).value !== undefined)
  return status === undefined
    ? [contradict(theirs, `the response ${success}`, 'missing', 'the success response')]
    : compareContent(theirs.at(status), ours.at(success), 'the response', 'answered')
}

function compareDeprecation(theirs: DescriptionNode, ours: DescriptionNode): readonly Contradiction[] {
  const [here, emulator] = [theirs, ours].map(node =>
    node.at('deprecated').value === true ? 'deprecated' : 'not deprecated',
  )
  const sunset = ['x-deprecated-sunset', 'x-sunset']
    .map(name => theirs.at(name))
    .find(node => node.value !== undefined)
  const date = ours.at('x-deprecated-sunset').text
  return [
    ...(here !== undefined && emulator !== undefined && here !== emulator
      ? [contradict(theirs, 'the operation', here, emulator)]
      : []),
    ...(sunset !== undefined && date !== undefined && `${sunset.value}`.slice(0, 10) !== date
      ? [contradict(sunset, 'the removal date', `${sunset.value}`, date)]
      : []),
  ]
}

/** Every call needs a key, sent as a bearer token (specification, "Authentication"). */
function compareSecurity(root: DescriptionNode, theirs: DescriptionNode): readonly Contradiction[] {
  const security = [theirs, root].map(node => node.at('security')).find(node => node.value !== undefined)
  const choices = security?.items ?? []
  if (choices.length === 0 || choices.some(choice => choice.fields.length === 0))
    return [contradict(security ?? theirs, 'an API key', 'optional', 'required')]
  const isBearer = ([name]: readonly [name: string, scopes: DescriptionNode]) =>
    root.at('components', 'securitySchemes', name).follow()?.at('scheme').text?.toLowerCase() === 'bearer'
  return security === undefined || choices.some(choice => choice.fields.every(isBearer))
    ? []
    : [contradict(security, 'the API key', 'not a bearer token', 'a bearer token')]
}
