type Parts = readonly (string | Uint8Array)[]

/** A hash of 53 bits to distinguish texts and bytes, after cyrb53. */
export function hashOf(...parts: Parts): number {
  const [one, other] = wordsOf(parts)
  return 0x1_0000_0000 * (other & 0x1f_ffff) + one
}

/** The same hash with 64 bits, in hexadecimal digits. */
export function digestOf(...parts: Parts): string {
  return wordsOf(parts)
    .map(word => word.toString(16).padStart(8, '0'))
    .join('')
}

function wordsOf(parts: Parts): readonly [number, number] {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (const part of parts) {
    const { length } = part
    const isText = typeof part === 'string'
    for (let at = 0; at < length; at += 1) {
      const unit = isText ? part.charCodeAt(at) : (part[at] ?? 0)
      one = Math.imul(one ^ unit, 2_654_435_761)
      other = Math.imul(other ^ unit, 1_597_334_677)
    }
    // No unit of a text: the parts stay apart.
    one = Math.imul(one ^ (0x1_0000 + length), 2_654_435_761)
    other = Math.imul(other ^ (0x1_0000 + length), 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return [one >>> 0, other >>> 0]
}
