import type { CallContext } from './gates/call-context.ts'
import type { Decision } from './journal/decision.ts'
import { type RecordedCall, uncut } from './journal/recorded-call.ts'

/** Takes the next exchange id of the world, and copies the key's state, since the next call changes it. */
export function recordCall(
  { world, call, caller, key, at }: CallContext,
  decision: Decision,
  date: number,
): RecordedCall {
  const id = world.nextExchange
  world.nextExchange += 1
  const strikes = key?.strikes.count ?? 0
  return {
    id,
    sandbox: world.sandbox,
    at,
    date,
    method: call.method,
    target: call.target,
    headers: caller.headers,
    body: call.body,
    scheme: call.scheme,
    client: call.client,
    connection: call.connection,
    receivedAt: call.receivedAt,
    corsHeaders: caller.corsHeaders,
    key: key?.text,
    plan: key?.plan,
    strikes,
    bannedUntil: key?.strikes.bannedUntil,
    banAfter: strikes > 0 ? world.scenario.behaviour.bans?.after : undefined,
    decision,
    cut: uncut,
  }
}
