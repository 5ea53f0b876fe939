import { pathSegments } from '../../service/call/target.ts'
import { compileGlob } from './glob.ts'

/**
 * A whole path, `/v1` included, in which `{petId}`, or any name in braces, stands for one segment, and `*` for any
 * characters within one. Segments are compared decoded, as routes are.
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
