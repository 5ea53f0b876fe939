import type { Verdict } from '../gates/decision.ts'
import type { Gate } from '../journal/exchange.ts'
import type { Visit } from '../worlds/call-context.ts'
import { operationAt } from '../worlds/routes.ts'
import type { Metrics } from './metrics.ts'

/** The gates that look at no path. */
const stopsBefore: ReadonlySet<Gate> = new Set(['key', 'ban', 'limit', 'prefer', 'rule', 'failure'])

/** Counts a call. It is on the way of every one, so what most calls do not have is asked for once. */
export function measure(metrics: Metrics, { call, target, key }: Visit, verdict: Verdict): void {
  const { operation, area, answer, gate, limit, intervention } = verdict
  const { path } = target
  // What was refused before it got to its operation was still for that one.
  const id =
    operation?.id ??
    area?.id ??
    (stopsBefore.has(gate) || answer.code === 'endpoint_removed' ? operationAt(path, call.method) : undefined)
  metrics.calls.add(id, answer.status, key?.plan)
  if (intervention !== undefined) metrics.hitRules(intervention.rules)
  if (limit === undefined || limit.accepted) return
  if (gate === 'ban') metrics.refusedWhileBanned += 1
  else if (answer.code === 'rate_limit_exceeded' || answer.code === 'api_key_banned') {
    metrics.refusals[limit.told] += 1
    if (answer.code === 'api_key_banned') metrics.bans += 1
  }
}
