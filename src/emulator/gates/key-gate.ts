import { formatInstant } from '../../base/time/instant.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Key } from '../../service/keys/key.ts'
import { invalidKey, missingKey } from '../../service/keys/unauthorized.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { newWindow, readLimit, takeCall, type Windows } from '../../service/limits/limiter.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'
import type { Decision } from '../journal/exchange.ts'
import { sandboxNames } from '../worlds/constraints.ts'
import type { CallContext } from './call-context.ts'
import { rateLimitExceeded, rateLimitOf } from './limit-gate.ts'

/** 401, with the quota of the client's address, which is enforced only if a setting says so (A04). */
export function refuseKey(context: CallContext): Decision {
  const limits = context.world.scenario.behaviour.limits
  const windows = windowsOf(context)
  const limit = takeCall(windows, quotaOf(context), context.at, limits, context.world.nextExchange)
  const rate = rateLimitOf(context, limit)
  const isEnforced = !limit.accepted && limits.anonymous === 'enforce'
  const answer = isEnforced
    ? rateLimitExceeded(context, windows, { limit, rate }, undefined)
    : unauthorized(context)
  return { gate: 'key', answer, rate, limit, operation: undefined }
}

/** The quota of the client's address for the headers of a call that counts for nobody (A03, A04). */
export function reportToAddress(context: CallContext): RateLimit {
  const { world, call, at } = context
  const windows = world.anonymous.get(call.client) ?? unusedWindows()
  return rateLimitOf(context, readLimit(windows, quotaOf(context), at, world.scenario.behaviour.limits))
}

/** The quota of a key for the headers of a call that uses none of it. */
export function reportToKey(context: CallContext, { windows, quota }: Key): RateLimit {
  const { world, at } = context
  return rateLimitOf(context, readLimit(windows, quota, at, world.scenario.behaviour.limits))
}

function quotaOf({ world }: CallContext): Quota {
  return world.scenario.plans.get('free') ?? shippedPlans.free
}

/** The client learns only that its key is not valid (A02). The reason is for the explanation. */
function unauthorized({ caller: { credential, key: sent }, world, key }: CallContext): Answer {
  if (credential.kind === 'none') return refusals.missing
  if (credential.kind === 'malformed') return refusals.malformed
  if (key === undefined) {
    const isNamed = sent !== undefined && sent.sandbox === undefined && world.keys.has(sent.base)
    return isNamed ? refusals.wrongSandbox : refusals.unknown
  }
  return key.revoked
    ? refusals.revoked
    : invalid(`a key that expired at ${formatInstant(key.expiresAt ?? 0)}`)
}

const refusals = {
  missing: missingKey(),
  malformed: invalidKey('malformed'),
  unknown: invalid('an unknown key'),
  wrongSandbox: invalid(
    'a known key, but what follows its + is not the name of a sandbox',
    sandboxNames.expected,
  ),
  revoked: invalid('a revoked key'),
}

function invalid(asked: string, expected = 'a valid key'): Answer {
  return invalidKey('not valid', [{ what: 'API key', asked, expected }])
}

const maxCallers = 1_000

function windowsOf({ world, call }: CallContext): Windows {
  const known = world.anonymous.get(call.client)
  if (known !== undefined) return known
  // Drop the oldest: a client with many addresses must not fill the memory.
  const [oldest] = world.anonymous.keys()
  if (oldest !== undefined && world.anonymous.size >= maxCallers) world.anonymous.delete(oldest)
  const windows = unusedWindows()
  world.anonymous.set(call.client, windows)
  return windows
}

function unusedWindows(): Windows {
  return { minute: newWindow(0), day: newWindow(0) }
}
