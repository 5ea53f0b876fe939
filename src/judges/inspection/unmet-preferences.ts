import type { Exchange, Gate } from '../../emulator/journal/exchange.ts'
import { appliedHeader, readPreferences } from '../../service/call/prefer.ts'
import { readTarget } from '../../service/call/target.ts'
import { judgePreferences } from '../../service/operations/preferred.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { ShowText } from './conceal.ts'

/** The gates that answer before a `Prefer` header is read (A01). */
const before: ReadonlySet<Gate> = new Set(['host', 'preflight', 'api', 'key', 'ban', 'limit', 'failure'])

/** Names each preference that the reply does not meet. A real service has its own, so a proxied call has none. */
export function unmetPreferences(exchange: Exchange, text: ShowText): readonly string[] {
  const { call, reply, trace, answeredAt } = exchange
  const preferences = answeredAt === undefined ? readPreferences(call.headers) : undefined
  if (preferences === undefined) return []
  if (before.has(trace.gate))
    return [
      'Its Prefer header had no effect: another check came first. Prefer acts after key, ban and limit.',
    ]
  const operation =
    trace.area !== undefined ? undefined : operationAt(readTarget(call.target).path, call.method)
  const { unmet } = judgePreferences(preferences, operation, reply.status, reply.headers[appliedHeader])
  return unmet.map(({ text: asked, why }) => `Prefer: ${text(asked)} was not met: ${why}.`)
}
