import { type WindowName, windowLengths, windowNames } from '../../service/limits/window.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'
import type { Take } from './take.ts'

/** What the limit headers of an answer say. */
export interface RateReading {
  readonly limit: number
  readonly remaining: number
  /** In milliseconds. */
  readonly resetsAt: number | undefined
}

export function readRate({ answer }: Take): RateReading | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(name =>
    wholeNumber(answer[`x-ratelimit-${name}`]),
  )
  if (limit === undefined || remaining === undefined) return undefined
  return { limit, remaining, resetsAt: reset === undefined ? undefined : reset * 1_000 }
}

/** Seconds; undefined if it is absent or a date. */
export function readRetryAfter({ answer }: Take): number | undefined {
  return wholeNumber(answer['retry-after'])
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

export function isLimited({ status, code }: Take): boolean {
  return status === 429 && code !== 'api_key_banned'
}

export function isBanned({ code }: Take): boolean {
  return code === 'api_key_banned'
}

/** The plan that has this limit, and the window that the limit is for. */
export function findWindow(
  { limit, resetsAt }: RateReading,
  at: number,
): { readonly plan: string | undefined; readonly window: WindowName } {
  const isLong = resetsAt !== undefined && resetsAt - at > windowLengths.minute + 1_000
  const likely: readonly WindowName[] = isLong ? ['day'] : ['minute', 'day']
  for (const window of likely)
    for (const [plan, quota] of Object.entries<Quota>(shippedPlans))
      if (quota[window] === limit) return { plan, window }
  return { plan: undefined, window: isLong ? 'day' : (windowNames[0] ?? 'minute') }
}
