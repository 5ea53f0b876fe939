/** The length of a text in UTF-8. Every answer is measured by this, so a pattern finds plain ASCII, which is faster. */
export function utf8Length(text: string): number {
  return /^[^\u0080-\uffff]*$/.test(text) ? text.length : new TextEncoder().encode(text).length
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
