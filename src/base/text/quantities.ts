/** Formats 500000 as 500,000. `Intl` would take 20 ms of the start. */
export function groupDigits(count: number): string {
  return `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `once`, `2,000 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${groupDigits(count)} times`
}

/** `1 call`, `2,000 calls`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`
}
