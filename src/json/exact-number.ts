/** Beyond 2^53 the digits decide, not the float: whether it is an integer, and which. */
export function exactNumber(text: string): number | bigint {
  const near = Number(text)
  // No integer beyond 2^53 rounds to one below, so below it nothing is lost. Adding 0 makes 0 of -0.
  if (Math.abs(near) <= Number.MAX_SAFE_INTEGER) return near + 0
  const [mantissa = '', exponent = '0'] = text.split(/e/i)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  const zeros = Number(exponent) - fraction.length
  // More zeros than a float's own range has are not written out: 1e999999999 would fill the memory.
  if (zeros > 308) return near
  if (zeros >= 0) return BigInt(digits + '0'.repeat(zeros))
  const cut = digits.length + zeros
  for (let at = cut; at < digits.length; at++) if (digits.charCodeAt(at) !== 0x30) return near
  return BigInt(digits.slice(0, cut))
}
