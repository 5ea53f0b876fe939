import type { DraftFields } from './draft-headers.ts'

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

/** Whole seconds from the client's `Date` to the reset. */
export function waitSeconds(resetsAt: number, date: number): number {
  return Math.max(1, resetSeconds(resetsAt) - Math.floor(date / 1_000))
}
