/** The time of an instant in UTC with milliseconds: `12:00:00.250`. */
export function clockTime(instant: string): string {
  const time = instant.slice(instant.indexOf('T') + 1).replace('Z', '')
  const [seconds = '', fraction = ''] = time.split('.')
  return `${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`
}

/** `12 ms`, `1.5 s`. */
export function milliseconds(ms: number): string {
  if (ms < 1) return '<1 ms'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}

/** An instant in whole seconds, with its date if that is not the date of `before`: `12:01:00`, `2026-03-03 12:00:00`. */
export function momentAfter(before: string, instant: string): string {
  const [date = '', time = ''] = instant.split('T')
  const seconds = time.slice(0, 8)
  return before.startsWith(date) ? seconds : `${date} ${seconds}`
}
