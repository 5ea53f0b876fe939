/** Formats 500000 as 500,000. `Intl` would take 20 ms of the start. */
export function groupDigits(count: number): string {
  return Number.isInteger(count) ? `${count}`.replace(/\B(?=(?:\d{3})+$)/g, ',') : `${count}`
}

/** `60 of 1,000`. */
export function formatShare(part: number, whole: number): string {
  return `${groupDigits(part)} of ${groupDigits(whole)}`
}

/** `once`, `2,000 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${groupDigits(count)} times`
}

/** `1 call`, `2,000 calls`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`
}

const units: Readonly<Record<string, number>> = { KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 }

/** Bytes of a size such as `64MB`, where a MB has 2^20 bytes. Undefined if the text is none. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+) ?([KMG]B)$/i.exec(text) ?? []
  const bytes = Number(digits) * (units[unit.toUpperCase()] ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

/** A size for people, such as `64 MB`. */
export function formatSize(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KB` : `${Math.round(bytes / 2 ** 20)} MB`
}
