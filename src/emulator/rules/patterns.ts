import { compileWildcards } from '../../base/text/wildcards.ts'
import { pathSegments } from '../../service/call/target.ts'
import { parameter, pathShape } from '../../service/operations/path-template.ts'

/**
 * Compiles a whole path, with `/v1`, in which a name in braces matches one or more characters of a segment, and `*` any
 * characters of one. It compares decoded segments, as routes do.
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
  const shape = pathShape(segment)
  return shape.includes(parameter) ? compileWildcards(shape.split(parameter), 1) : compileGlob(segment)
}

/** Compiles a pattern in which `*` matches any characters, or none. */
export function compileGlob(pattern: string): (text: string) => boolean {
  return compileWildcards(pattern.split('*'), 0)
}
