import { pathSegments } from '../../service/call/target.ts'

/**
 * Compiles a whole path, with `/v1`, in which a name in braces matches one segment, and `*` any characters of one. It
 * compares decoded segments, as routes do.
 */
export function compilePath(pattern: string): (path: string) => boolean {
  const parts = pattern.split('/').slice(1).map(compileSegment)
  const isLiteral = !/[{*]/.test(pattern)
  return path => {
    if (path === pattern) return true
    if (isLiteral && !path.includes('%')) return false
    const segments = pathSegments(path)
    return segments?.length === parts.length && parts.every((fits, index) => fits(segments[index] ?? ''))
  }
}

function compileSegment(segment: string): (text: string) => boolean {
  return /^\{[^{}]*\}$/.test(segment) ? text => text !== '' : compileGlob(segment)
}

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
