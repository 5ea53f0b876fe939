import { skewOf } from '../base/time/clock.ts'
import type { CallContext } from './gates/call-context.ts'
import type { Decision } from './journal/exchange.ts'
import { RecordedCall } from './journal/recorded-call.ts'

/** Takes the next exchange id of the world, and copies the key's state, since the next call changes it. */
export function recordCall(context: CallContext, decision: Decision, date: number): RecordedCall {
  const { world, call, caller, key, target, at, events } = context
  const recorded = world.journal.reuse() ?? new RecordedCall()
  const strikes = key?.strikes.count ?? 0
  recorded.id = world.nextExchange
  world.nextExchange += 1
  recorded.sandbox = world.sandbox
  recorded.at = at
  recorded.scale = world.clock.scale
  recorded.date = date
  recorded.skewMs = skewOf(world.clock)
  recorded.method = call.method
  recorded.target = target.text
  recorded.headers = caller.headers
  recorded.body = call.body
  recorded.scheme = call.scheme
  recorded.client = call.client
  recorded.connection = call.connection
  recorded.receivedAt = call.receivedAt
  recorded.order = call.order ?? Number.NaN
  recorded.timing = call.timing
  recorded.corsHeaders = caller.corsHeaders
  recorded.key = key?.text
  recorded.plan = key?.plan
  recorded.strikes = strikes
  recorded.bannedUntil = key?.strikes.bannedUntil
  recorded.bannedByHand = key?.strikes.byHand
  recorded.banAfter = strikes > 0 ? world.scenario.behaviour.bans?.after : undefined
  recorded.events = events
  recorded.decide(decision)
  return recorded
}
