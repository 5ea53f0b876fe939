import type { Unjudged } from '../report/report.ts'
import { waitIds } from './checks.ts'

/** Why an early call, or a ban, cannot be judged. */
const reasons = {
  frozen:
    'the clock of pet-mock was frozen when it refused calls, so a client that compares X-RateLimit-Reset with its own clock cannot wait rightly',
  far: 'the clock of pet-mock was far from real time when it refused calls with a date, so a client that compares it with its own clock cannot wait rightly',
  crossed:
    'each came on another connection just after a refusal, so the client may have sent it before it read the refusal',
  gone: 'each came before Retry-After was over on another connection and never came back, so another process with the same key may have made it',
} as const
export type OpenReason = keyof typeof reasons

/** How many calls cannot be judged, by reason. */
export type OpenCalls = Map<OpenReason, number>

export function unjudgedOf(calls: OpenCalls): readonly Unjudged[] {
  return Array.from(calls, ([reason, count]) => ({
    checks: waitIds,
    count,
    what: 'call',
    reason: reasons[reason],
  }))
}
