/** Where a time is, seen from another one: `30 s before` for -30. */
export function secondsApart(seconds: number): string {
  return `${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'}`
}
