import type { Answer } from '../../service/call/answer.ts'
import { pathSegments } from '../../service/call/target.ts'
import { listOrders } from '../../service/orders/list-orders.ts'
import { createPet } from '../../service/pets/create-pet.ts'
import { getPet } from '../../service/pets/get-pet.ts'
import type { OperationId, Stability } from '../journal/exchange.ts'
import type { Visit } from './call-context.ts'

export interface Operation {
  readonly id: OperationId
  readonly stability?: Stability
  answer(visit: Visit, parameter: string): Answer
}

/** A path, as its segments after `/v1`; an empty one stands for a parameter. */
export interface Route {
  readonly segments: readonly string[]
  readonly operations: Readonly<Partial<Record<string, Operation>>>
  /** Every operation on the path is to be removed (specification, "Get an animal (deprecated)"). */
  readonly deprecated: boolean
}

const listPets: Operation = {
  id: 'listPets',
  answer: ({ world, target, origin }) => world.pages.get(target.query, origin),
}

const routes: readonly Route[] = [
  {
    segments: ['pets'],
    operations: {
      GET: listPets,
      POST: {
        id: 'createPet',
        answer: ({ world, call }) => createPet(world.pets, call, world.scenario.behaviour.defaultStatus),
      },
    },
    deprecated: false,
  },
  {
    segments: ['pets', ''],
    operations: { GET: { id: 'getPet', answer: ({ world }, petId) => getPet(world.pets, petId) } },
    deprecated: true,
  },
  {
    segments: ['store', 'orders'],
    operations: {
      GET: {
        id: 'listOrders',
        stability: 'experimental',
        answer: ({ world }) => listOrders(world.scenario.orders),
      },
    },
    deprecated: false,
  },
]

/** The API's base path is part of every path that is asked for (specification, "Versioning"). */
export function isUnderApi(path: string): boolean {
  if (path.startsWith('/v1/') || path === '/v1') return true
  return path.includes('%') && pathSegments(path)?.[0] === 'v1'
}

export interface FoundRoute {
  readonly route: Route
  /** The segment that stands for the route's parameter; meaningless on a route without one. */
  readonly parameter: string
}

/** Paths without a parameter, as they are most often written: found without taking the path apart. */
const literalRoutes: ReadonlyMap<string, FoundRoute> = new Map(
  routes
    .filter(({ segments }) => !segments.includes(''))
    .map(route => [`/v1/${route.segments.join('/')}`, { route, parameter: '' }]),
)

/** Every path that there is, as a person writes it. */
export const apiPaths: readonly string[] = routes.map(
  ({ segments }) => `/v1/${segments.map(segment => segment || '{petId}').join('/')}`,
)

/** The route of a path. A trailing slash makes another path, which is nobody's (A18). */
export function findRoute(path: string): FoundRoute | undefined {
  const literal = literalRoutes.get(path)
  if (literal !== undefined) return literal
  const segments = pathSegments(path)?.slice(1)
  if (segments === undefined) return undefined
  const route = routes.find(
    candidate =>
      candidate.segments.length === segments.length &&
      candidate.segments.every((name, index) =>
        name === '' ? segments[index] !== '' : name === segments[index],
      ),
  )
  return route && { route, parameter: segments.at(-1) ?? '' }
}

/** HEAD is GET without a body (A18); what a refusal says of it must be as long, too. */
export function effectiveMethod(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

export function findOperation(route: Route, method: string): Operation | undefined {
  const name = effectiveMethod(method)
  return Object.hasOwn(route.operations, name) ? route.operations[name] : undefined
}

/** The operation that a path and a method lead to, if any. */
export function operationAt(path: string, method: string): OperationId | undefined {
  const route = findRoute(path)?.route
  return route && findOperation(route, method)?.id
}

/** The emulated operation of a path template, as its segments after `/v1`; an empty one stands for a parameter. */
export function emulatedAt(segments: readonly string[], method: string): OperationId | undefined {
  const route = routes.find(candidate => candidate.segments.join('/') === segments.join('/'))
  return route && findOperation(route, method)?.id
}

/** The method of an operation, and a path that leads to it. */
export function wayTo(id: OperationId): { readonly method: string; readonly path: string } {
  for (const { segments, operations } of routes) {
    const [method] = Object.entries(operations).find(([, operation]) => operation?.id === id) ?? []
    if (method !== undefined) return { method, path: `/v1/${segments.map(name => name || '1').join('/')}` }
  }
  throw new RangeError(`No route leads to ${id}`)
}

/** The value of `Allow` on 405 (RFC 9110, section 15.5.6). `further`: what else is possible there. */
export function allowedMethods(route: Route | undefined, further: readonly string[] = []): string {
  const methods = new Set([...Object.keys(route?.operations ?? {}), ...further])
  const all = [...methods].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...all, 'OPTIONS'].join(', ')
}
