const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

const amount = '[0-9]{1,16}(\\.[0-9]{1,16})?'

/**
 * The texts that parseDuration reads, for a JSON Schema: units from large to small, each once, at least one. Only the
 * parser rejects fractions of a ms and sums beyond 100 years.
 */
export const durationPattern = `^(${units.map((_, first) => unitsFrom(first)).join('|')})$`

function unitsFrom(first: number): string {
  const [largest, ...smaller] = units.slice(first).map(([unit]) => `${amount}${unit}`)
  return `${largest}${smaller.map(part => `(${part})?`).join('')}`
}

/** One amount and its unit: V8 needs half a millisecond to compile the whole pattern. */
const part = /([0-9]{1,16})(?:\.([0-9]{1,16}))?(d|h|ms|m|s)/y

type Part = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`
/** A duration as programs write it: `90s`, `1h30m`. */
export type Duration = Part | `${Part}${Part}`

/** 100 years of 365 days, in ms: an instant plus a duration is still a date. */
export const maxDuration = 36_500 * 86_400_000

/** The ms of a duration such as `90s`, `1.5s` or `1h30m`; undefined if it is invalid or no whole number of ms. */
export function parseDuration(text: string): number | undefined {
  if (text === '') return undefined
  let ms = 0
  let nextUnit = 0
  for (let at = 0; at < text.length; ) {
    part.lastIndex = at
    const [read, whole = '', fraction = '', name] = part.exec(text) ?? []
    const unit = units.findIndex(([known], index) => index >= nextUnit && known === name)
    const [, scale] = units[unit] ?? []
    if (read === undefined || scale === undefined) return undefined
    // By bigints, since 1.001 * 1000 is not 1001 in floats.
    const scaled = BigInt(whole + fraction) * BigInt(scale)
    const divisor = 10n ** BigInt(fraction.length)
    if (scaled % divisor !== 0n) return undefined
    ms += Number(scaled / divisor)
    nextUnit = unit + 1
    at += read.length
  }
  return ms <= maxDuration ? ms : undefined
}

/**
 * The shortest text that parseDuration reads as `ms`, with a fraction in its last unit at most. `ms` is rounded, and at
 * least 0.
 */
export function formatDuration(ms: number): Duration {
  return shortest(Math.max(0, Math.round(ms)), 0) as Duration
}

/** Prefers fewer and smaller units between texts of equal length: `250ms`, not `0.25s`. */
function shortest(ms: number, first: number): string {
  const [unit, scale] = units[first] ?? ['ms', 1]
  if (scale === 1) return `${ms}ms`
  const rest = ms % scale
  const candidates = [shortest(ms, first + 1), `${ms / scale}${unit}`]
  if (rest > 0 && rest < ms) candidates.push(`${Math.floor(ms / scale)}${unit}${shortest(rest, first + 1)}`)
  return candidates.reduce((best, text) =>
    text.length < best.length && parseDuration(text) === ms ? text : best,
  )
}
