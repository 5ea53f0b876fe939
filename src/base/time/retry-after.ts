/** Retry-After in milliseconds: a number of seconds, or a date, which counts from `Date` (RFC 9110, section 10.2.3). */
export function readRetryAfter(retryAfter = '', date = ''): number | undefined {
  if (/^[0-9]{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const length = Date.parse(retryAfter) - Date.parse(date)
  return Number.isNaN(length) ? undefined : Math.max(0, length)
}
