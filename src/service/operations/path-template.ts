import { compileWildcards } from '../../base/text/wildcards.ts'
import { pathSegments } from '../call/target.ts'

/** How a parameter appears in the segments of a path template. */
export const parameter = '{}'

/** A path template with each `{name}` as `{}`. Templates of one shape match the same paths. */
export function pathShape(path: string): string {
  return path.replace(/\{[^{}]*\}/g, parameter)
}

/** A path of a contract without the base path, which some contracts include. */
export function withoutBase(path: string): string {
  return path.startsWith('/v1/') ? path.slice('/v1'.length) : path
}

/** The segments of a path template, decoded, with each `{name}` as `{}`: `/jobs/{id}:cancel` is `jobs`, `{}:cancel`. */
export function templateSegments(path: string): readonly string[] {
  const shape = pathShape(path)
  return pathSegments(shape) ?? shape.slice(1).split('/')
}

/** Compiles one segment of a template. A parameter matches one or more characters, and all others match exactly. */
function compileSegment(segment: string): (text: string) => boolean {
  return segment === parameter ? text => text !== '' : compileWildcards(segment.split(parameter), 1)
}

/** Orders templates of one length, the most literal first (OpenAPI 3.1, section 4.8.8.2). Equal ones match the same paths. */
function specificity(segments: readonly string[]): string {
  const rank = (segment: string) => {
    const literal = segment.replaceAll(parameter, '')
    if (literal === segment) return `0${segment}`
    return `1${String.fromCharCode(0xffff - Math.min(literal.length, 0xfff))}${segment}`
  }
  return segments.map(rank).join('\0')
}

/** Finds what has a path template that a path matches, the most literal template first. The keys are the segments of the templates. */
export function createRouter<T>(
  routes: Iterable<readonly [segments: readonly string[], value: T]>,
): (segments: readonly string[]) => readonly T[] {
  const all = Array.from(routes, ([segments, value]) => {
    return { value, order: specificity(segments), parts: segments.map(compileSegment) }
  }).sort((a, b) => (a.order < b.order ? -1 : 1))
  const matches = (parts: (typeof all)[number]['parts'], segments: readonly string[]) =>
    parts.length === segments.length && parts.every((fits, place) => fits(segments[place] ?? ''))
  return segments => all.filter(({ parts }) => matches(parts, segments)).map(({ value }) => value)
}
