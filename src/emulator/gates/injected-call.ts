import { deprecationHeaders } from '../../service/deprecation/deprecation.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import { type OperationId, operationOf } from '../../service/operations/operations.ts'
import { effectiveMethod, operationAt } from '../../service/operations/routes.ts'
import type { InjectedCall, Lifetime } from '../rules/service-error.ts'
import { type CallContext, retryAfterOf } from './call-context.ts'
import type { OpenAreas } from './open-areas.ts'
import { removalOf } from './route-gate.ts'

/** A call as an injected error sees it. `Retry-After` agrees with the reset that the limit headers name (A08). */
export function injectedCallOf(
  context: CallContext,
  windows: Windows,
  rate: RateLimit,
  areas: OpenAreas | undefined,
): InjectedCall {
  const { path } = context.target
  const method = effectiveMethod(context.call.method)
  // A user's contract may add an operation where getPet would take the segment for an id.
  const operation = () => (areas?.find(path, method) === undefined ? operationAt(path, method) : undefined)
  return {
    method,
    path,
    operation,
    furtherMethods: () => areas?.methodsAt(path) ?? [],
    lifetime: () => lifetimeOf(context, operation()),
    retryAfter: () => retryAfterOf(context, windows, rate.resetsAt),
  }
}

function lifetimeOf(context: CallContext, id: OperationId | undefined): Lifetime | undefined {
  const operation = id && operationOf(id)
  if (operation?.deprecated === undefined) return undefined
  const { deprecation } = context.world.scenario.behaviour
  return {
    removal: removalOf(operation, context),
    headers: deprecationHeaders(operation.deprecated, deprecation, context.address.base),
  }
}
