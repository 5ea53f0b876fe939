/** A key as logs and reports show it: enough to recognize it, too little to use it. */
export function maskKey(key: string): string {
  const shown = Math.max(1, Math.min(6, key.length - 2))
  return `${key.slice(0, shown)}…`
}

/**
 * Masks these keys wherever a text has one as a whole word, percent-encoded or not. Some clients send a key in the query
 * (A02), which logs would show.
 */
export function createKeyMask(keys: Iterable<string>): (text: string) => string {
  // Longest first: one key may begin with another.
  const words = [...keys]
    .toSorted((a, b) => b.length - a.length)
    .flatMap(key => [key, encodeURIComponent(key)])
  if (words.length === 0) return text => text
  const alternatives = words.map(word => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![A-Za-z0-9._~-])(?:${alternatives})(?![A-Za-z0-9._~-])`, 'g')
  return text => text.replace(pattern, maskKey)
}
