import { pathShape, withoutBase } from '../../../service/operations/routes.ts'
import type { DescriptionNode } from './description-node.ts'

/** Statements of the user's description that the emulator does not follow. */
type Contradictions = readonly { readonly node: DescriptionNode; readonly message: string }[]

/** A contradiction, unless both sides say the same. */
function contradict(node: DescriptionNode, subject: string, here: string, emulator: string): Contradictions {
  return here === emulator
    ? []
    : [{ node, message: `${subject} is ${here} here, but ${emulator} in the emulator` }]
}

/**
 * Where the operations of a user's description and the emulator differ, which `ours` (openapi.yaml) describes. A description without any
 * emulated operation only adds operations: it contradicts nothing.
 */
export function findContradictions(theirs: DescriptionNode, ours: DescriptionNode): Contradictions {
  const pairs = ours.at('paths').fields.flatMap(([path, item]) =>
    item.fields.map(([method, our]) => ({
      name: `${method.toUpperCase()} /v1${path}`,
      our,
      their: findOperation(theirs, path, method),
    })),
  )
  if (pairs.every(({ their }) => their === undefined)) return []
  const found = pairs.flatMap(({ name, our, their }) => {
    if (their === undefined) return contradict(theirs.at('paths'), name, 'missing', 'supported')
    const own = compareOperation(theirs, their.item, their.operation, our)
    return own.map(({ node, message }) => ({ node, message: `${name}: ${message}` }))
  })
  const all = [...compareServers(theirs), ...found]
  // Several operations can share a part of the description: only the first one reports it.
  const keys = all.map(({ node, message }) => `${node.id} ${message.replace(/^[A-Z]+ \S+: /, '')}`)
  return all.filter((_one, index) => keys.indexOf(keys[index] ?? '') === index)
}

function findOperation(root: DescriptionNode, path: string, method: string) {
  for (const [name, node] of root.at('paths').fields) {
    if (pathShape(withoutBase(name)) !== pathShape(path)) continue
    const item = node.follow()
    const operation = item?.at(method).follow()
    if (item !== undefined && operation?.value !== undefined) return { item, operation }
  }
  return undefined
}

function compareServers(root: DescriptionNode): Contradictions {
  const servers = root.at('servers')
  const addresses = servers.items.map(server =>
    `${server.at('url').value}`.replace(/\{([^{}]*)\}/g, (whole, name) =>
      String(server.at('variables', name, 'default').value ?? whole),
    ),
  )
  const includesBase = root.at('paths').fields.some(([path]) => withoutBase(path) !== path)
  if (includesBase || addresses.length === 0 || addresses.some(url => /\/v1\/?$/.test(url))) return []
  const message = 'no server URL ends in /v1 here, but every path of the emulator begins with /v1'
  return [{ node: servers, message }]
}

/** How a user's operation differs from the emulator's. `item` is its path, which may have parameters for all operations. */
function compareOperation(
  root: DescriptionNode,
  item: DescriptionNode,
  theirs: DescriptionNode,
  ours: DescriptionNode,
): Contradictions {
  const parameters = [item, theirs].flatMap(node => node.at('parameters').items)
  const sunset = ['x-deprecated-sunset', 'x-sunset'].map(name => theirs.at(name)).find(({ value }) => value)
  const date = ours.at('x-deprecated-sunset').text
  return [
    ...compareParameters(theirs, byKey(parameters), byKey(ours.at('parameters').items)),
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

function compareParameters(operation: DescriptionNode, their: Parameters, our: Parameters): Contradictions {
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
      return contradict(theirs, subject(ours), here, 'optional')
    }),
  ]
}

function compareResponses(theirs: DescriptionNode, ours: DescriptionNode): Contradictions {
  const [success = ''] = ours.fields.map(([status]) => status)
  // Beside a documented success, `default` documents the errors.
  const rest = theirs.fields.some(([status]) => status.startsWith('2')) ? [] : ['default']
  const isDescribed = [success, '2XX', ...rest].some(name => theirs.at(name).value !== undefined)
  return isDescribed ? [] : contradict(theirs, `the response ${success}`, 'missing', 'the success response')
}

function deprecation(operation: DescriptionNode): string {
  return operation.at('deprecated').value === true ? 'deprecated' : 'not deprecated'
}

/** Every call needs a key, sent as a bearer token (specification, "Authentication"). */
function compareSecurity(root: DescriptionNode, operation: DescriptionNode): Contradictions {
  const security = [operation, root].map(node => node.at('security')).find(({ value }) => value !== undefined)
  const choices = security?.items ?? []
  if (security === undefined || choices.length === 0 || choices.some(({ fields }) => fields.length === 0))
    return contradict(security ?? operation, 'an API key', 'optional', 'required')
  const isBearer = ([name]: readonly [name: string, scopes: DescriptionNode]) =>
    root.at('components', 'securitySchemes', name).follow()?.at('scheme').text?.toLowerCase() === 'bearer'
  const fits = choices.some(choice => choice.fields.every(isBearer))
  return fits ? [] : contradict(security, 'the API key', 'not a bearer token', 'a bearer token')
}
