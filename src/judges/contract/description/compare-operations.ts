import { type Contradiction, compareSchemas, contradict, type Direction } from './compare-schemas.ts'
import type { DescriptionNode } from './description-node.ts'

/** How a user's operation differs from the emulator's. `item` is its path, which may have parameters for all operations. */
export function compareOperations(
  root: DescriptionNode,
  item: DescriptionNode,
  theirs: DescriptionNode,
  ours: DescriptionNode,
): readonly Contradiction[] {
  const parameters = [item, theirs].flatMap(node => node.at('parameters').items)
  const sunset = ['x-deprecated-sunset', 'x-sunset'].map(name => theirs.at(name)).find(({ value }) => value)
  const date = ours.at('x-deprecated-sunset').text
  return [
    ...compareParameters(theirs, byKey(parameters), byKey(ours.at('parameters').items)),
    ...compareContent(theirs.at('requestBody'), ours.at('requestBody'), 'the body', 'sent'),
    ...compareResponses(theirs.at('responses'), ours.at('responses')),
    ...contradict(theirs, 'the operation', deprecation(theirs), deprecation(ours)),
    ...(typeof sunset?.value === 'string' && date
      ? contradict(sunset, 'the removal date', sunset.value.slice(0, 10), date)
      : []),
    ...compareSecurity(root, theirs),
  ]
}

type Parameters = ReadonlyMap<string, DescriptionNode>

/** Parameters by place and name. The name of a path parameter makes no difference. */
function byKey(nodes: readonly DescriptionNode[]): Parameters {
  const parameters = nodes.flatMap(node => node.follow() ?? [])
  return new Map(
    parameters.map(node => {
      const place = node.at('in').value
      return [place === 'path' ? place : `${place} ${node.at('name').value}`, node]
    }),
  )
}

function compareParameters(
  operation: DescriptionNode,
  their: Parameters,
  our: Parameters,
): readonly Contradiction[] {
  // Every operation reads these headers.
  const unknown = [...their].filter(
    ([key]) => !our.has(key) && !/^header (?:authorization|accept|content-type)$/i.test(key),
  )
  const subject = (node: DescriptionNode) => `the parameter ${node.at('name').value}`
  const isRequired = (node: DescriptionNode) => node.at('required').value === true
  return [
    ...unknown.flatMap(([, node]) => contradict(node, subject(node), 'described', 'ignored')),
    ...[...our].flatMap(([key, ours]) => {
      const theirs = their.get(key)
      // A parameter that is only assumed may be missing.
      if (theirs === undefined)
        return ours.at('x-assumption').value === undefined
          ? contradict(operation, subject(ours), 'missing', 'supported')
          : []
      const here = isRequired(theirs) && !isRequired(ours) ? 'required' : 'optional'
      return [
        ...contradict(theirs, subject(ours), here, 'optional'),
        ...compareSchemas(theirs.at('schema'), ours.at('schema'), `${ours.at('name').value}`, 'sent'),
      ]
    }),
  ]
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
  // Beside a documented success, `default` documents the errors.
  const rest = theirs.fields.some(([status]) => status.startsWith('2')) ? [] : ['default']
  const status = [success, '2XX', ...rest].find(name => theirs.at(name).value !== undefined)
  return status === undefined
    ? contradict(theirs, `the response ${success}`, 'missing', 'the success response')
    : compareContent(theirs.at(status), ours.at(success), 'the response', 'answered')
}

function deprecation(operation: DescriptionNode): string {
  return operation.at('deprecated').value === true ? 'deprecated' : 'not deprecated'
}

/** Every call needs a key, sent as a bearer token (specification, "Authentication"). */
function compareSecurity(root: DescriptionNode, operation: DescriptionNode): readonly Contradiction[] {
  const security = [operation, root].map(node => node.at('security')).find(({ value }) => value !== undefined)
  const choices = security?.items ?? []
  if (security === undefined || choices.length === 0 || choices.some(({ fields }) => fields.length === 0))
    return contradict(security ?? operation, 'an API key', 'optional', 'required')
  const isBearer = ([name]: readonly [name: string, scopes: DescriptionNode]) =>
    root.at('components', 'securitySchemes', name).follow()?.at('scheme').text?.toLowerCase() === 'bearer'
  const fits = choices.some(choice => choice.fields.every(isBearer))
  return fits ? [] : contradict(security, 'the API key', 'not a bearer token', 'a bearer token')
}
