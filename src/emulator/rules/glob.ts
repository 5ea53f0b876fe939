/** Compiles a pattern in which `*` matches any characters, or none. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...inner] = pattern.split('*')
  const last = inner.pop()
  if (last === undefined) return text => text === pattern
  // A regular expression with several stars could take for ever.
  return text => {
    const end = text.length - last.length
    let at = first.length
    if (end < at || !text.startsWith(first) || !text.endsWith(last)) return false
    for (const part of inner) {
      const found = text.indexOf(part, at)
      if (found === -1 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}
