import { type Answer, refuse } from '../call/answer.ts'
import { clip } from '../call/echo.ts'
import { checkRemoval, deprecationHeaders } from '../deprecation/deprecation.ts'
import {
  allowedMethods,
  apiPaths,
  effectiveMethod,
  findOperation,
  findRoute,
  type Operation,
} from './routes.ts'
import type { Visit } from './visit.ts'

/** An operation that a call reaches, bound to what the path says. */
export interface Destination {
  readonly operation: Operation
  readonly parameter: string
  readonly deprecated: boolean
}

/** Where a call leads, or why it leads nowhere: unknown path, removed path, wrong method, in this order (A17, A18). */
export function routeCall(visit: Visit): Destination | { readonly refusal: Answer } {
  const { call, target, world, at } = visit
  const found = findRoute(target.path)
  if (found === undefined) {
    const message = `There is nothing at ${clip(`${effectiveMethod(call.method)} ${target.path}`)}.${hint(target.path)}`
    return { refusal: refuse('route_not_found', message) }
  }
  const { route, parameter } = found
  const removal = route.deprecated
    ? checkRemoval(world.scenario.behaviour.deprecation, at, successor(visit))
    : undefined
  if (removal !== undefined) return { refusal: removal }
  const operation = findOperation(route, call.method)
  if (operation === undefined) {
    const allow = allowedMethods(route)
    const message = `${clip(call.method)} is not possible at ${clip(target.path)}, only ${allow}.`
    return { refusal: refuse('method_not_allowed', message, { Allow: allow }) }
  }
  return { operation, parameter, deprecated: route.deprecated }
}

/** A slash too many at the end is the commonest mistake, and makes another path (A18). */
function hint(path: string): string {
  const without = path.slice(0, -1)
  if (path.endsWith('/') && findRoute(without) !== undefined) {
    return ` There is ${clip(without)}, without the slash at its end.`
  }
  return ` There are ${apiPaths.join(', ')}.`
}

/** The operation's own answer, with what a deprecated one tells of itself (A17). */
export function operate({ operation, parameter, deprecated }: Destination, visit: Visit): Answer {
  const answer = operation.answer(visit, parameter)
  if (!deprecated) return answer
  const told = deprecationHeaders(visit.world.scenario.behaviour.deprecation, successor(visit))
  return { ...answer, headers: { ...answer.headers, ...told } }
}

/** The specification names GET /pets with the status filter as the replacement of the deprecated operation. */
function successor({ origin }: Visit): string {
  return `${origin}/v1/pets`
}
