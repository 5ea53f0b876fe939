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

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A length of time in its two largest units: `2 h 5 min`, `42 s`. Less than a second counts as one. */
export function lengthOfTime(ms: number): string {
  let rest = Math.max(1, Math.ceil(ms / 1_000)) * 1_000
  const parts: string[] = []
  for (const [name, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break
  }
  return parts.slice(0, 2).join(' ')
}

/** `2026-11-22`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().replace(/T.*/, '')
}

/** `12:00:05`, in UTC. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().replace(/.*T/, '').slice(0, 8)
}
