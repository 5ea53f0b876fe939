import { formatInstant } from '../../base/time/instant.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Mismatch } from '../../service/call/mismatch.ts'
import { invalidKey, missingKey } from '../../service/keys/unauthorized.ts'
import { takeCall, type Windows } from '../../service/limits/limiter.ts'
import { newWindow } from '../../service/limits/window.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Decision } from '../journal/decision.ts'
import type { CallContext } from './call-context.ts'
import { rateLimitOf } from './client-view.ts'
import { rateLimitExceeded } from './limit-gate.ts'

/** 401, with the quota of the client's address, which is enforced only if a setting says so (A04). */
export function refuseKey(context: CallContext): Decision {
  const plan = context.world.scenario.plans.get('free') ?? shippedPlans.free
  const limits = context.world.scenario.behaviour.limits
  const limit = takeCall(windowsOf(context), plan, context.at, limits, context.world.nextExchange)
  const rate = rateLimitOf(context, limit)
  const enforced = !limit.accepted && limits.anonymous === 'enforce'
  const answer = enforced
    ? rateLimitExceeded(context, limit, 'calls without a valid API key')
    : unauthorized(context)
  return { gate: 'key', answer, rate, limit, operation: undefined }
}

function unauthorized({ caller: { credential }, key }: CallContext): Answer {
  if (credential.kind === 'none') return missingKey()
  if (credential.kind === 'malformed') return invalidKey('malformed')
  const asked = key === undefined ? unknownKey : key.revoked ? revokedKey : expiredKey(key.expiresAt)
  return invalidKey('not valid', asked)
}

/* The client learns only that its key is not valid (A02). These reasons are for the explanation. */

const expected = 'a valid key'
const unknownKey: readonly Mismatch[] = [{ what: 'API key', asked: 'an unknown key', expected }]
const revokedKey: readonly Mismatch[] = [{ what: 'API key', asked: 'a revoked key', expected }]

function expiredKey(at = 0): readonly Mismatch[] {
  return [{ what: 'API key', asked: `a key that expired at ${formatInstant(at)}`, expected }]
}

const maxCallers = 1_000

function windowsOf({ world, call }: CallContext): Windows {
  const known = world.anonymous.get(call.client)
  if (known !== undefined) return known
  // Drop the oldest: a client with many addresses must not fill the memory.
  for (const oldest of world.anonymous.keys()) {
    if (world.anonymous.size < maxCallers) break
    world.anonymous.delete(oldest)
  }
  const windows = { minute: newWindow(0), day: newWindow(0) }
  world.anonymous.set(call.client, windows)
  return windows
}
