import { httpDate } from '../../base/time/instant.ts'
import type { DraftFields } from './draft-headers.ts'
import type { LimitSettings } from './window.ts'

/** The values of the three limit headers; `resetsAt` is in milliseconds of the client's time. */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number
  /** Absent unless a setting asks for them. */
  readonly draft: DraftFields | undefined
}

/** Whole seconds since the epoch, never before the window is over (A08). */
export function resetSeconds(resetsAt: number): number {
  return Math.ceil(resetsAt / 1_000)
}

/** `Retry-After` of a refusal: it and `X-RateLimit-Reset` name the same instant (A08; RFC 9110, section 10.2.3). */
export function retryAfter(resetsAt: number, date: number, form: LimitSettings['retryAfter']): string {
  const reset = resetSeconds(resetsAt)
  return form === 'http-date' ? httpDate(reset * 1_000) : `${waitSeconds(resetsAt, date)}`
}

/** Whole seconds from the client's `Date` to the reset. */
export function waitSeconds(resetsAt: number, date: number): number {
  return Math.max(1, resetSeconds(resetsAt) - Math.floor(date / 1_000))
}
