/** An instant in ms, floored to a second: `Thu, 05 Dec 2030 00:00:00 GMT` (RFC 9110, section 5.6.7). */
export function httpDate(ms: number): string {
  // ECMAScript defines toUTCString to write exactly this form for the years 0 to 9999.
  return new Date(Math.floor(ms / 1000) * 1000).toUTCString()
}
