import { pathSegments } from '../call/target.ts'
import { type Operation, type OperationId, operations } from './operations.ts'
import { parameter, templateSegments } from './path-template.ts'

export interface Route {
  /** With `/v1`: `/v1/pets/{petId}`. */
  readonly path: string
  /** The segments after `/v1`; `{}` stands for a parameter. */
  readonly segments: readonly string[]
  /** By method. */
  readonly operations: ReadonlyMap<string, Operation>
}

interface FoundRoute {
  readonly route: Route
  /** The last segment, which is the value of the route's parameter, if it has one. */
  readonly parameter: string
}

const routes: readonly Route[] = [...new Set(operations.map(({ path }) => path))].map(path => ({
  path: `/v1${path}`,
  segments: templateSegments(path),
  operations: new Map(operations.filter(other => other.path === path).map(found => [found.method, found])),
}))

/** The routes without a parameter: found without splitting the path. */
const literalRoutes: ReadonlyMap<string, FoundRoute> = new Map(
  routes
    .filter(({ segments }) => !segments.includes(parameter))
    .map(route => [route.path, { route, parameter: '' }]),
)

/** Every path of the API, with `/v1` and with the names of parameters. */
export const apiPaths: readonly string[] = routes.map(({ path }) => path)

export const apiMethods: readonly string[] = [...new Set(operations.map(({ method }) => method))]

/** The API's base path is part of every request path (specification, "Versioning"). */
export function isUnderApi(path: string): boolean {
  if (path.startsWith('/v1/') || path === '/v1') return true
  return path.includes('%') && pathSegments(path)?.[0] === 'v1'
}

/** The route of a path. A trailing slash makes another path, which matches none (A18). */
export function findRoute(path: string): FoundRoute | undefined {
  const literal = literalRoutes.get(path)
  if (literal !== undefined) return literal
  const [base, ...segments] = pathSegments(path) ?? []
  if (base !== 'v1') return undefined
  const route = routes.find(
    candidate =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((name, index) =>
        name === parameter ? segments[index] !== '' : name === segments[index],
      ),
  )
  return route && { route, parameter: segments.at(-1) ?? '' }
}

/** HEAD is GET without a body (A18). */
export function effectiveMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

/** The operation that a path and a method lead to, if any. */
export function operationAt(path: string, method: string): OperationId | undefined {
  return findRoute(path)?.route.operations.get(effectiveMethod(method))?.id
}

/** Whether a path template, as its segments after `/v1`, and a method are an operation of the API. */
export function isEmulated(segments: readonly string[], method: string): boolean {
  const route = routes.find(candidate => candidate.segments.join('/') === segments.join('/'))
  return route?.operations.has(method) === true
}

/** The value of `Allow` (RFC 9110, section 10.2.1): these methods, HEAD with GET, and OPTIONS. */
export function allowedMethods(methods: Iterable<string>): string {
  const all = [...new Set(methods)].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...new Set([...all, 'OPTIONS'])].join(', ')
}
