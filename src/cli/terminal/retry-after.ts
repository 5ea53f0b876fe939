import type { Exchange } from '../../emulator/journal/exchange.ts'

/** The seconds of `Retry-After`, also where a setting makes a date of it. */
export function waitSecondsOf({ reply: { headers } }: Exchange): number | undefined {
  const retryAfter = headers['Retry-After']
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  return (Date.parse(retryAfter) - Date.parse(headers.Date ?? '')) / 1_000
}
