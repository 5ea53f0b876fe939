import { pathShape } from './check-paths.ts'
import { compareOperations } from './compare-operations.ts'
import { type Contradiction, contradict } from './compare-schemas.ts'
import type { DescriptionNode } from './description-node.ts'

/**
 * Where a user's description and the emulator differ, which `ours` (openapi.yaml) describes. A description without any
 * emulated operation only adds operations: it contradicts nothing.
 */
export function findContradictions(theirs: DescriptionNode, ours: DescriptionNode): readonly Contradiction[] {
  const pairs = ours.at('paths').fields.flatMap(([path, item]) =>
    item.fields.map(([method, our]) => ({
      name: `${method.toUpperCase()} /v1${path}`,
      our,
      their: findOperation(theirs, path, method),
    })),
  )
  if (pairs.every(({ their }) => their === undefined)) return []
  const found = pairs.flatMap(({ name, our, their }) =>
    their === undefined
      ? contradict(theirs.at('paths'), name, 'missing', 'supported')
      : compareOperations(theirs, their.item, their.operation, our).map(({ node, message }) => ({
          node,
          message: `${name}: ${message}`,
        })),
  )
  return distinct([...compareServers(theirs), ...found])
}

function findOperation(root: DescriptionNode, path: string, method: string) {
  for (const [name, node] of root.at('paths').fields) {
    if (pathShape(isUnderApi(name) ? name.slice('/v1'.length) : name) !== pathShape(path)) continue
    const item = node.follow()
    const operation = item?.at(method).follow()
    if (item !== undefined && operation?.value !== undefined) return { item, operation }
  }
  return undefined
}

/** Some descriptions include the base path in their paths. */
export function isUnderApi(path: string): boolean {
  return path.startsWith('/v1/')
}

function compareServers(root: DescriptionNode): readonly Contradiction[] {
  const servers = root.at('servers')
  const addresses = servers.items.map(server =>
    `${server.at('url').value}`.replace(/\{([^{}]*)\}/g, (whole, name) =>
      String(server.at('variables', name, 'default').value ?? whole),
    ),
  )
  const includesBase = root.at('paths').fields.some(([path]) => isUnderApi(path))
  if (includesBase || addresses.length === 0 || addresses.some(url => /\/v1\/?$/.test(url))) return []
  return [
    {
      node: servers,
      message: 'no server URL ends in /v1 here, but every path of the emulator begins with /v1',
    },
  ]
}

/** Several operations can share a part of the description: only the first one reports it. */
function distinct(found: readonly Contradiction[]): readonly Contradiction[] {
  const keyOf = ({ node, message }: Contradiction) => `${node.id} ${message.replace(/^[A-Z]+ \S+: /, '')}`
  const keys = found.map(keyOf)
  return found.filter((one, index) => keys.indexOf(keyOf(one)) === index)
}
