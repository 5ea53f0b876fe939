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
