import { contains } from '../../base/json/contains.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { compileWildcards } from '../../base/text/wildcards.ts'
import { pathSegments, type QueryPair } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { parameter, pathShape } from '../../service/operations/routes.ts'
import type { Match } from './rule.ts'

/** What rules see of a call. Functions read their part when a rule asks for it. */
export interface Facts {
  readonly method: string
  /** As sent. Method and target determine path, query and operation. */
  readonly target: string
  /** Without its sandbox. */
  readonly key: string
  readonly plan: string
  /** As sent, without query. */
  path(): string
  operation(): OperationId | undefined
  query(): readonly QueryPair[]
  /** Undefined if there is none, or it is not JSON. */
  body(): JsonValue | undefined
}

export interface Matcher {
  /** Whether all but the body matches: the same for every call of a key with this method and target. */
  readonly fitsHead: (facts: Facts) => boolean
  readonly fitsBody: ((facts: Facts) => boolean) | undefined
}

/** Compiles a match, the cheapest checks first. Throws a RangeError if `body` is not JSON. */
export function compileMatch({ operation, method, plan, ...match }: Match): Matcher {
  const fitsKey = match.key === undefined ? undefined : compileGlob(match.key)
  const fitsPath = match.path === undefined ? undefined : compilePath(match.path)
  const fitsQuery = match.query === undefined ? undefined : compileQuery(match.query)
  const part = match.body === undefined ? undefined : readPart(match.body)
  return {
    fitsHead: facts =>
      (method === undefined || facts.method === method || (method === 'GET' && facts.method === 'HEAD')) &&
      (plan === undefined || facts.plan === plan) &&
      (fitsKey === undefined || fitsKey(facts.key)) &&
      (operation === undefined || facts.operation() === operation) &&
      (fitsPath === undefined || fitsPath(facts.path())) &&
      (fitsQuery === undefined || fitsQuery(facts.query())),
    fitsBody: part === undefined ? undefined : facts => contains(facts.body(), part),
  }
}

function compileQuery(query: Readonly<Record<string, string>>): (pairs: readonly QueryPair[]) => boolean {
  const wanted = Object.entries(query).map(([name, value]) => ({ name, fits: compileGlob(value) }))
  return pairs =>
    wanted.every(({ name, fits }) =>
      pairs.some(pair => pair.name === name && pair.value !== undefined && fits(pair.value)),
    )
}

function readPart(text: string): JsonValue {
  const read = readJson(text)
  if ('problem' in read) throw new RangeError(`A rule's match.body is not JSON: ${read.problem}.`)
  return read.value
}

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
