/** A key as logs and reports show it: enough to tell the keys of a project apart, too little to use it. */
export function maskKey(key: string): string {
  const shown = Math.max(1, Math.min(6, key.length - 2))
  return `${key.slice(0, shown)}…`
}

/**
 * Masks these keys wherever a text holds one as a word of its own, percent-encoded or not: some send a key in the
 * query, where it is no key (A02), and the text would stay in logs.
 */
export function createKeyMask(keys: Iterable<string>): (text: string) => string {
  // The longest first: one key may begin with another.
  const words = [...keys]
    .toSorted((a, b) => b.length - a.length)
    .flatMap(key => {
      const encoded = encodeURIComponent(key)
      return encoded === key ? [key] : [key, encoded]
    })
  if (words.length === 0) return text => text
  const alternatives = words.map(word => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')
  const pattern = new RegExp(`(?<![A-Za-z0-9._~-])(?:${alternatives})(?![A-Za-z0-9._~-])`, 'g')
  return text => text.replace(pattern, maskKey)
}
