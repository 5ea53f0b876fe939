/** Far beyond 64 bits. A bigint of a million digits would take half a second. */
const mostExact = 1e40

/**
 * Reads a number by its digits, since a float would round it. An integer is a number up to 2^53, a bigint beyond, and
 * the nearest float from 1e40 on. A fraction is a float, or NaN where the float would be an integer, as of
 * 9007199254740992.5 or 1e-400.
 */
export function exactNumber(text: string): number | bigint {
  const near = Number(text)
  if (Number.isFinite(near) && !Number.isInteger(near)) return near
  // No integer beyond 2^53 rounds to one below. Adding 0 makes 0 of -0.
  if (Number.isSafeInteger(near) && /^-?\d+$/.test(text)) return near + 0
  const [mantissa = '', exponent = '0'] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const zeros = Number(exponent) - fraction.length
  const cut = Math.max(0, digits.length + Math.min(0, zeros))
  if (/[1-9]/.test(digits.slice(cut))) return Number.NaN
  if (Number.isSafeInteger(near)) return near + 0
  if (Math.abs(near) >= mostExact) return near
  return BigInt(digits.slice(0, cut).replace(/^(-?)0+/, '$1') + '0'.repeat(Math.max(0, zeros)))
}
