import type { Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { appliedHeader, readPreferences, type Unmet } from '../../service/call/prefer.ts'
import { readTarget } from '../../service/call/target.ts'
import { judgePreferences, refusedPreferences } from '../../service/operations/preferred.ts'
import { operationAt } from '../../service/operations/routes.ts'

/** The gates that answer before a `Prefer` header is read (A01). */
const before: ReadonlySet<Gate> = new Set(['host', 'preflight', 'api', 'failure', 'key', 'ban', 'limit'])

/** The preferences that a reply does not meet. A real service has its own, so a proxied call has none. */
export function unmetPreferences({ call, reply, trace, answeredAt }: Exchange): readonly Unmet[] {
  const preferences = answeredAt === undefined ? readPreferences(call.headers) : undefined
  if (preferences === undefined) return []
  if (before.has(trace.gate)) return refusedPreferences(preferences)
  const operation =
    trace.area === undefined ? operationAt(readTarget(call.target).path, call.method) : undefined
  return judgePreferences(preferences, operation, reply.status, reply.headers[appliedHeader]).unmet
}
