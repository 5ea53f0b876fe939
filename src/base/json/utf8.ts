/**
 * The length of a text in UTF-8. Half of a surrogate pair is written as U+FFFD: three bytes. Every answer is measured
 * by this, so a pattern finds plain ASCII: seven times as fast as the loop.
 */
export function utf8Length(text: string): number {
  if (/^[^\u0080-\uffff]*$/.test(text)) return text.length
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    length += code < 0x800 ? 1 : 2
    // Both halves of a pair are four bytes together, two more than the units already counted.
    if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) at++
  }
  return length
}

/** The bytes of a text in UTF-8, each as the character with that code (U+0000 to U+00FF). */
export function utf8Octets(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let octets = ''
  // In pieces, since a function takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 8_192) {
    octets += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  }
  return octets
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
