import type { Refusal } from '../../doors/server/refusals.ts'
import type { Breach } from '../../emulator/journal/breach.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { maskKey } from '../../service/keys/mask.ts'
import { remaining } from '../../service/limits/limiter.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { waitSecondsOf } from '../terminal/retry-after.ts'

/** A call as a line for programs; what is not known of it is left out. */
export function logJson(exchange: Exchange): string {
  const { id, sandbox, at, call, reply, trace } = exchange
  const { key, plan, limit, code } = trace
  return jsonLine({
    event: 'call',
    id,
    sandbox,
    at: new Date(at).toISOString(),
    method: call.method,
    target: call.target,
    status: reply.status,
    key: key === undefined ? undefined : maskKey(key),
    plan,
    remaining: limit && { minute: remaining(limit.minute), day: remaining(limit.day) },
    code,
    retryAfter: waitSecondsOf(exchange),
    rules: trace.rules?.length === 0 ? undefined : trace.rules,
    synthetic: trace.synthetic || undefined,
    delayMs: reply.delayMs,
    fault: reply.fault,
  })
}

/** What the door answered by itself: it was no call, so it has no number and no target. */
export function logRefusalJson({ at, status, code, message, client }: Refusal): string {
  return jsonLine({ event: 'refused', at: new Date(at).toISOString(), status, code, message, client })
}

/** How a call breaks the contract; the call's own line, with the same id, was there before. */
export function logBreachesJson({ id, sandbox, call, reply }: Exchange, breaches: readonly Breach[]): string {
  const { method, target } = call
  return jsonLine({ event: 'contract', id, sandbox, method, target, status: reply.status, breaches })
}
