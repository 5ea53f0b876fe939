import type { Quota } from '../plans/plan.ts'
import type { Window } from './window.ts'

/** Calls in a window: those of the client, and since it opened those of another one. */
export function usedIn(
  { used, opensAt }: Window,
  quota: Quota,
  othersPerMinute: number | undefined,
  at: number,
): number {
  if (othersPerMinute === undefined || opensAt === undefined) return used
  return used + othersIn(at - opensAt, othersPerMinute, quota.minute)
}

/** The accepted calls of another client: each minute at most the quota, since it gets refusals too (A07). */
function othersIn(ms: number, perMinute: number, quota: number): number {
  if (perMinute <= quota) return Math.floor((ms * perMinute) / 60_000)
  const rest = Math.floor(((ms % 60_000) * perMinute) / 60_000)
  return Math.floor(ms / 60_000) * quota + Math.min(rest, quota)
}
