import { readHttpDate } from '../../../base/time/http-date.ts'
import type { WholeAnswer } from '../../walkthrough/target.ts'

/** A Retry-After header (RFC 9110, section 10.2.3). */
export type RetryAfter = { readonly ms: number } | { readonly wrong: string }

/** Reads Retry-After. `serviceTime` is the service's time in epoch milliseconds. Undefined without the header. */
export function retryAfterOf(
  { 'retry-after': text }: WholeAnswer['headers'],
  serviceTime: number,
): RetryAfter | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) {
    const date = readHttpDate(text, serviceTime)
    return date === undefined ? { wrong: `Retry-After is ${text}` } : { ms: date.ms - serviceTime }
  }
  const seconds = Number(text)
  const looksLike = (unit: string) => ({ wrong: `Retry-After is ${text}, which looks like ${unit}` })
  // A day is the longest window. Nobody means 20 years of seconds.
  if (Math.abs(seconds * 1_000 - serviceTime) < 2 * 86_400_000) return looksLike('a Unix timestamp')
  return { ms: seconds * 1_000 }
}

/** The wait in milliseconds; undefined if the header is missing or unreadable. */
export function retryMs(headers: WholeAnswer['headers'], serviceTime: number): number | undefined {
  const reading = retryAfterOf(headers, serviceTime)
  return reading !== undefined && 'ms' in reading ? Math.max(0, reading.ms) : undefined
}
