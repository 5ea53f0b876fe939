/** A pattern in which `*` stands for any characters, none included; without one, it is the text itself. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...inner] = pattern.split('*')
  const last = inner.pop()
  if (last === undefined) return text => text === pattern
  // By search and not by a regular expression: several stars in one of those may take for ever.
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
