import { didYouMean } from '../../base/text/did-you-mean.ts'
import { type Answer, refuse } from '../../service/call/answer.ts'
import { clip } from '../../service/call/echo.ts'
import { checkRemoval } from '../../service/deprecation/deprecation.ts'
import type { Operation } from '../../service/operations/operations.ts'
import { allowedMethods, apiPaths, effectiveMethod, findRoute } from '../../service/operations/routes.ts'
import type { CallContext } from './call-context.ts'
import type { AreaOperation, OpenAreas } from './open-areas.ts'

/** An operation that a call reaches, and the value of its path's parameter. */
export interface Destination {
  readonly operation: Operation
  readonly parameter: string
}

/** Where a call leads, or the refusal: unknown path, removed operation, wrong method (A17, A18). */
export function routeCall(
  context: CallContext,
  areas: OpenAreas | undefined,
): (Destination | { readonly refusal: Answer } | { readonly area: AreaOperation }) & {
  readonly refusal?: Answer
} {
  const { call, target } = context
  const method = effectiveMethod(call.method)
  const area = areas?.find(target.path, method)
  if (area !== undefined) return { area }
  const found = findRoute(target.path)
  const operation = found?.route.operations.get(method)
  if (found === undefined || operation === undefined)
    return { refusal: refuseUnrouted(context, [...(found?.route.operations.values() ?? [])], areas) }
  const removal = removalOf(operation, context)
  return removal === undefined ? { operation, parameter: found.parameter } : { refusal: removal }
}

/** The refusal of an operation that is removed at the instant of the call (A17). */
export function removalOf({ deprecated }: Operation, { world, at, address }: CallContext) {
  return deprecated && checkRemoval(deprecated, world.scenario.behaviour.deprecation, at, address.base)
}

/** `known`: the operations of the path. */
function refuseUnrouted(context: CallContext, known: readonly Operation[], areas?: OpenAreas): Answer {
  const { call, target } = context
  const further = areas?.methodsAt(target.path) ?? []
  if (known.length === 0 && further.length === 0) {
    const asked = clip(`${effectiveMethod(call.method)} ${target.path}`)
    return refuse('route_not_found', `There is nothing at ${asked}.${pathHint(target.path, areas)}`)
  }
  const left = known.filter(operation => removalOf(operation, context) === undefined)
  const methods = [...left.map(({ method }) => method), ...further]
  const removal = methods.length === 0 && known[0] !== undefined ? removalOf(known[0], context) : undefined
  if (removal !== undefined) return removal
  const allow = allowedMethods(methods)
  const message = `${clip(target.path)} does not support ${clip(call.method)}. Use ${allow}.`
  return refuse('method_not_allowed', message, { Allow: allow })
}

/** With more paths, a message names the nearest one. */
const mostPaths = 10

/** A trailing slash is the commonest mistake, and makes another path (A18). */
function pathHint(path: string, areas: OpenAreas | undefined): string {
  const without = path.slice(0, -1)
  const isThere = (other: string) =>
    findRoute(other) !== undefined || (areas?.methodsAt(other) ?? []).length > 0
  if (path.endsWith('/') && isThere(without)) return ` Remove the slash at the end: ${clip(without)}.`
  if (isThere(`${path}/`)) return ` Add a slash at the end: ${clip(path)}/.`
  const paths = [...new Set([...apiPaths, ...(areas?.paths ?? [])])]
  if (paths.length <= mostPaths) return ` The API has ${paths.join(', ')}.`
  const asked = path.split('/')
  // What stands where a path has a parameter is no typo.
  const filled = paths.map(one =>
    one
      .split('/')
      .map((part, at) => (part.includes('{') ? (asked[at] ?? part) : part))
      .join('/'),
  )
  const nearest = paths[filled.indexOf(didYouMean(path, filled) ?? '')]
  return nearest === undefined ? ` The API has ${paths.length} other paths.` : ` Did you mean ${nearest}?`
}
