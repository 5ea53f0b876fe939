import type { QueryPair } from '../call/query.ts'
import type { OperationId } from '../journal/exchange.ts'
import { contains } from '../json/contains.ts'
import { readJson } from '../json/read.ts'
import type { JsonValue } from '../json/value.ts'
import { compileGlob } from './glob.ts'
import { compilePath } from './path-pattern.ts'
import type { Match } from './rule.ts'

/** What rules look at in a call. The query and the body are read when the first rule asks for them. */
export interface Facts {
  /** The operation that the call would reach. */
  readonly operation: OperationId | undefined
  readonly method: string
  /** As sent, without query. */
  readonly path: string
  /** Without its sandbox. */
  readonly key: string
  readonly plan: string
  readonly query: () => readonly QueryPair[]
  /** Undefined: there is none, or it is no JSON. */
  readonly body: () => JsonValue | undefined
}

/** A match as a function, the cheapest questions first. Throws a RangeError when `body` is no JSON. */
export function compileMatch({ operation, method, plan, ...match }: Match): (facts: Facts) => boolean {
  const fitsKey = match.key === undefined ? undefined : compileGlob(match.key)
  const fitsPath = match.path === undefined ? undefined : compilePath(match.path)
  const fitsQuery = match.query === undefined ? undefined : compileQuery(match.query)
  const part = match.body === undefined ? undefined : readPart(match.body)
  return facts =>
    (operation === undefined || facts.operation === operation) &&
    (method === undefined || facts.method === method || (method === 'GET' && facts.method === 'HEAD')) &&
    (plan === undefined || facts.plan === plan) &&
    (fitsKey === undefined || fitsKey(facts.key)) &&
    (fitsPath === undefined || fitsPath(facts.path)) &&
    (fitsQuery === undefined || fitsQuery(facts.query())) &&
    (part === undefined || contains(facts.body(), part))
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
