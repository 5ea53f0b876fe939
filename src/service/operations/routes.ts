import { compileWildcards } from '../../base/text/wildcards.ts'
import { pathSegments } from '../call/target.ts'
import { type Operation, type OperationId, operations } from './operations.ts'

/** How a parameter appears in the segments of a path template. */
export const parameter = '{}'

export interface Route {
  /** With `/v1`: `/v1/pets/{petId}`. */
  readonly path: string
  /** The segments after `/v1`; `{}` stands for a parameter. */
  readonly segments: readonly string[]
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

/** A path template with each `{name}` as `{}`. Templates of one shape match the same paths. */
export function pathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, parameter)
}

/** A path of a contract without the base path, which some contracts include. */
export function withoutBase(path: string): string {
  return path.startsWith('/v1/') ? path.slice('/v1'.length) : path
}

/** The segments of a path template, decoded, with each `{name}` as `{}`: `/jobs/{id}:cancel` is `jobs`, `{}:cancel`. */
export function templateSegments(path: string): readonly string[] {
  const shape = pathShape(path)
  return pathSegments(shape) ?? shape.slice(1).split('/')
}

/** Orders templates of one length, the most literal first (OpenAPI 3.1, section 4.8.8.2). Equal ones match the same paths. */
function specificity(segments: readonly string[]): string {
  const rank = (segment: string) => {
    const literal = segment.replaceAll(parameter, '')
    if (literal === segment) return `0${segment}`
    return `1${String.fromCharCode(0xffff - Math.min(literal.length, 0xfff))}${segment}`
  }
  return segments.map(rank).join('\0')
}

/** Finds what has a path template that a path matches, the most literal template first. The keys are the segments of the templates. */
export function createRouter<T>(
  routes: Iterable<readonly [segments: readonly string[], value: T]>,
): (segments: readonly string[]) => readonly T[] {
  // A parameter matches one or more characters, and all others match exactly.
  const compile = (segment: string): ((text: string) => boolean) =>
    segment === parameter ? text => text !== '' : compileWildcards(segment.split(parameter), 1)
  const all = Array.from(routes, ([segments, value]) => {
    return { value, order: specificity(segments), parts: segments.map(compile) }
  }).sort((a, b) => (a.order < b.order ? -1 : 1))
  const matches = (parts: (typeof all)[number]['parts'], segments: readonly string[]) =>
    parts.length === segments.length && parts.every((fits, place) => fits(segments[place] ?? ''))
  return segments => all.filter(({ parts }) => matches(parts, segments)).map(({ value }) => value)
}
