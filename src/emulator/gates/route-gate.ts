import { type Answer, refuse } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { checkRemoval, deprecationHeaders } from '../../service/deprecation/deprecation.ts'
import type { Visit } from '../worlds/call-context.ts'
import type { AreaOperation } from '../worlds/open-areas.ts'
import {
  allowedMethods,
  apiPaths,
  effectiveMethod,
  findOperation,
  findRoute,
  type Operation,
} from '../worlds/routes.ts'

/** An operation that a call reaches, bound to what the path says. */
export interface Destination {
  readonly operation: Operation
  readonly parameter: string
  readonly deprecated: boolean
}

/** Where a call leads, or why it leads nowhere: unknown path, removed path, wrong method, in this order (A17, A18). */
export function routeCall(
  visit: Visit,
): Destination | { readonly refusal: Answer } | { readonly area: AreaOperation } {
  const { call, target, world, areas, at } = visit
  const area = areas?.find(target.path, effectiveMethod(call.method))
  if (area !== undefined) return { area }
  const found = findRoute(target.path)
  const further = areas?.methodsAt(target.path) ?? []
  if (found === undefined && further.length === 0) {
    const message = `There is nothing at ${clip(`${effectiveMethod(call.method)} ${target.path}`)}.${hint(visit)}`
    return { refusal: refuse('route_not_found', message) }
  }
  const removal = found?.route.deprecated
    ? checkRemoval(world.scenario.behaviour.deprecation, at, successor(visit))
    : undefined
  if (removal !== undefined) return { refusal: removal }
  const operation = found && findOperation(found.route, call.method)
  if (found === undefined || operation === undefined) {
    const allow = allowedMethods(found?.route, further)
    const message = `${clip(call.method)} is not possible at ${clip(target.path)}, only ${allow}.`
    return { refusal: refuse('method_not_allowed', message, { Allow: allow }) }
  }
  return { operation, parameter: found.parameter, deprecated: found.route.deprecated }
}

/** A slash too many at the end is the commonest mistake, and makes another path (A18). */
function hint({ target: { path }, areas }: Visit): string {
  const without = path.slice(0, -1)
  const isThere = findRoute(without) !== undefined || (areas?.methodsAt(without) ?? []).length > 0
  if (path.endsWith('/') && isThere) {
    return ` There is ${clip(without)}, without the slash at its end.`
  }
  return ` There are ${[...new Set([...apiPaths, ...(areas?.paths ?? [])])].join(', ')}.`
}

/** The operation's own answer, with what a deprecated one tells of itself (A17). */
export function operate({ operation, parameter, deprecated }: Destination, visit: Visit): Answer {
  const answer = operation.answer(visit, parameter)
  if (!deprecated) return answer
  const told = deprecationHeaders(visit.world.scenario.behaviour.deprecation, successor(visit))
  return { ...answer, headers: { ...answer.headers, ...told } }
}

/** An open area's answer, now or later; nothing of it is from the service, so it is marked. */
export function operateArea<T>(
  area: AreaOperation,
  visit: Visit,
  marks: boolean,
  conclude: (answer: Answer) => T,
): T | Promise<T> {
  const mark = (answer: Answer) =>
    marks ? { ...answer, headers: { ...answer.headers, 'X-Pet-Mock': `openapi ${area.source}` } } : answer
  const answer = area.answer(visit)
  return answer instanceof Promise ? answer.then(late => conclude(mark(late))) : conclude(mark(answer))
}

/** The specification names GET /pets with the status filter as the replacement of the deprecated operation. */
function successor({ origin }: Visit): string {
  return `${origin}/v1/pets`
}
