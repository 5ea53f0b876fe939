/**
 * Compiles texts with a wildcard between each two of them. A wildcard matches any characters, and at least `least` of them.
 * A regular expression with several wildcards could take for ever.
 */
export function compileWildcards(texts: readonly string[], least: 0 | 1): (text: string) => boolean {
  const [first = '', ...inner] = texts
  const last = inner.pop()
  if (last === undefined) return text => text === first
  return text => {
    const end = text.length - last.length
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of inner) {
      const found = text.indexOf(part, at + least)
      if (found === -1) return false
      at = found + part.length
    }
    return at + least <= end
  }
}
