import type { RatedAnswer } from './service-answer.ts'

const minute = 60_000
const day = 86_400_000

/** The length of the window that an answer describes, in milliseconds: a minute, or a day if its end is further away. */
export function lengthOf({ rate, serviceTime }: RatedAnswer): number {
  return rate.reset * 1_000 - serviceTime > minute + 5_000 ? day : minute
}

/** How many requests came back between two calls. Each call uses one. */
export function recovery({ rate: before }: RatedAnswer, { rate }: RatedAnswer): number {
  return Math.max(0, rate.remaining - before.remaining + 1)
}

/**
 * Whether Reset jumped as in no window: back, or ahead by more than the time that passed and the time that a token
 * bucket needs for the requests used.
 */
export function resetJump(one: RatedAnswer, other: RatedAnswer): boolean {
  // Two limits with one number are two windows.
  if (lengthOf(one) !== lengthOf(other)) return false
  const moved = (other.rate.reset - one.rate.reset) * 1_000
  const passed = Math.max(other.answeredAt - one.sentAt, other.serviceTime - one.serviceTime)
  const used = Math.max(0, one.rate.remaining - other.rate.remaining)
  const spare = 3_000
  return moved < -spare || moved > passed + (used * lengthOf(one)) / Math.max(1, one.rate.limit) + spare
}
