import type { ThenFields } from '../../control/scenario/file.ts'
import { legalForms, type RetryAfterForm } from '../../service/limits/retry-after.ts'
import type { PlanName } from '../../service/plans/plan.ts'

/**
 * What a search can change, by the names of --only and --skip. A right client comes through every part, except through
 * hostile forms of Retry-After.
 */
export const partNames = [
  'plan',
  'minute',
  'day',
  'ban',
  'ban-after',
  'retry-after',
  'hostile',
  'window',
  'clock',
  'status',
  'reset',
  'empty',
  'truncate',
  'malformed',
  'delay',
] as const
export type PartName = (typeof partNames)[number]

/** Parts that change nothing unless a call is refused. */
export const needsRefusal: readonly PartName[] = ['ban-after', 'retry-after', 'hostile', 'window']

/** What is drawn unless --only or --skip says otherwise: what a service may do. */
export const usualParts: readonly PartName[] = partNames.filter(name => name !== 'hostile')

/** How a few calls in a row fail. */
export interface DrawnFault {
  /** The first of them; 1 is the client's first call. */
  readonly nth: number
  readonly times: number
  readonly then: ThenFields
}

/** The mildest window that is drawn: calls left in it. */
export const mostLeft = 40

/** What differs from the usual service. Undefined: as usual. */
export interface DrawnSituation {
  readonly plan?: PlanName | undefined
  /** Calls left in the first minute. */
  readonly minute?: number | undefined
  readonly day?: number | undefined
  /** How many seconds the key is banned after the first call. */
  readonly ban?: number | undefined
  /** Refused calls that lead to a ban. */
  readonly banAfter?: number | undefined
  readonly retryAfter?: RetryAfterForm | undefined
  /** Seconds until the window ends, which is the minute's, or the day's if calls of the day are counted. */
  readonly window?: number | undefined
  /** Minutes that the service's clock is ahead. */
  readonly clock?: number | undefined
  readonly fault?: DrawnFault | undefined
}

/**
 * In seconds. A clock that is off shows only in real time, since a scaled one sends the client's own time (A08). There,
 * only a short ban can be waited for, and no fault: some clients wait for X-RateLimit-Reset after it.
 */
const banOnRealClock = 2

/** Drops what changes nothing without another part, so that equal situations look alike. */
export function effective(situation: DrawnSituation): DrawnSituation {
  const { plan, minute, day, ban, clock, fault } = situation
  const isCounted = clock === undefined && (minute !== undefined || day !== undefined)
  const isRefused = isCounted || ban !== undefined
  const retryAfter = isRefused ? situation.retryAfter : undefined
  if (clock !== undefined) return present({ ban: ban && banOnRealClock, clock, retryAfter })
  return present({
    plan,
    minute,
    day,
    ban,
    banAfter: isCounted ? situation.banAfter : undefined,
    retryAfter,
    window: isCounted ? situation.window : undefined,
    fault,
  })
}

/** Equal for equal situations. */
export function nameOf(situation: DrawnSituation): string {
  return JSON.stringify(effective(situation))
}

export function partsIn({ banAfter, retryAfter, fault, ...others }: DrawnSituation): readonly PartName[] {
  const { then } = fault ?? {}
  return [
    ...partNames.filter(name => others[name as keyof typeof others] !== undefined),
    ...(banAfter === undefined ? [] : ['ban-after' as const]),
    ...(retryAfter === undefined
      ? []
      : [legalForms.some(form => form === retryAfter) ? ('retry-after' as const) : ('hostile' as const)]),
    ...partNames.filter(name => then !== undefined && (name === then.fault || name in then)),
  ]
}

function present(situation: DrawnSituation): DrawnSituation {
  return Object.fromEntries(Object.entries(situation).filter(([, value]) => value !== undefined))
}
