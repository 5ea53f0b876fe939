import { operationAt } from '../../service/operations/routes.ts'
import type { CallContext } from '../gates/call-context.ts'
import type { Decision } from '../journal/decision.ts'
import type { Gate } from '../journal/exchange.ts'
import type { Metrics } from './metrics.ts'

/** The gates that do not look at the path. */
const beforeRoute: ReadonlySet<Gate> = new Set(['key', 'ban', 'limit', 'prefer', 'rule', 'failure'])

/** Counts a call. This runs for every call, so it asks only once for what most calls lack. */
export function countCall(
  metrics: Metrics,
  { call, target, key }: CallContext,
  { operation, area, answer, gate, limit, intervention }: Decision,
): void {
  // A call that was refused before its operation was still for that operation.
  const id =
    operation?.id ??
    area?.id ??
    (beforeRoute.has(gate) || answer.code === 'endpoint_removed'
      ? operationAt(target.path, call.method)
      : undefined)
  metrics.calls.add(id, answer.status, key?.plan)
  const { ruleHits } = metrics
  if (intervention !== undefined)
    for (const name of intervention.rules) ruleHits.set(name, (ruleHits.get(name) ?? 0) + 1)
  if (limit === undefined || limit.accepted) return
  if (gate === 'ban') metrics.refusedWhileBanned += 1
  else if (answer.code === 'rate_limit_exceeded' || answer.code === 'api_key_banned') {
    metrics.refusals[limit.reported] += 1
    if (answer.code === 'api_key_banned') metrics.bans += 1
  }
}
