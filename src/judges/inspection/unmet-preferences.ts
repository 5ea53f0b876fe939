import type { Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { appliedHeader, readPreferences, type Unmet } from '../../service/call/prefer.ts'
import { readTarget } from '../../service/call/target.ts'
import { judgePreferences, refusedPreferences } from '../../service/operations/preferred.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { ShowText } from './conceal.ts'

/** The gates that answer before a `Prefer` header is read (A01). */
const before: ReadonlySet<Gate> = new Set(['host', 'preflight', 'api', 'failure'])

/** The gates that refuse calls of the API before it is met. */
const refusing: ReadonlySet<Gate> = new Set(['key', 'ban', 'limit'])

/** Names each preference that the reply does not meet. A real service has its own, so a proxied call has none. */
export function unmetPreferences(exchange: Exchange, text: ShowText): readonly string[] {
  const { call, reply, trace, answeredAt } = exchange
  const preferences = answeredAt === undefined ? readPreferences(call.headers) : undefined
  if (preferences === undefined) return []
  const named = ({ text: asked, why }: Unmet) => `Prefer: ${text(asked)} was not met: ${why}.`
  if (before.has(trace.gate)) return ['Its Prefer header had no effect: another check came first.']
  if (refusing.has(trace.gate)) return refusedPreferences(preferences).map(named)
  const operation =
    trace.area !== undefined ? undefined : operationAt(readTarget(call.target).path, call.method)
  const { unmet } = judgePreferences(preferences, operation, reply.status, reply.headers[appliedHeader])
  return unmet.map(named)
}
