import { isObject } from '../../base/json/is-object.ts'
import { didYouMean } from '../../base/text/did-you-mean.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { absent, type Mismatch } from '../../service/call/answer.ts'
import { headerValue, repeated } from '../../service/call/headers.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { operationOf } from '../../service/operations/operations.ts'
import { allowedMethods, apiPaths, effectiveMethod, findRoute } from '../../service/operations/routes.ts'

/**
 * A refused request beside the nearest one that would have worked. The trace has what depends on state; the rest is computed
 * from the call here.
 */
export function nearestThing(exchange: Exchange): readonly Mismatch[] {
  const { call, trace } = exchange
  if (trace.mismatches !== undefined) return trace.mismatches
  const { method } = call
  const { path } = readTarget(call.target)
  switch (trace.synthetic ? undefined : trace.code) {
    case 'missing_api_key':
    case 'invalid_api_key':
      return [headerMismatch(call.headers, 'Authorization', 'Bearer <API_KEY>')]
    case 'route_not_found':
      return [nearestRoute(method, path)]
    case 'method_not_allowed':
      return [nearestMethod(method, path)]
    case 'endpoint_removed':
      return [{ what: 'request', asked: `${method} ${path}`, expected: replacement }]
    case 'host_not_allowed':
    case 'bad_request':
      return [headerMismatch(call.headers, 'Host', '127.0.0.1, localhost or a name in --allowed-hosts')]
    default:
      return []
  }
}

const replacement = 'GET /v1/pets?status=available (its replacement)'

function headerMismatch(headers: readonly string[], what: string, expected: string): Mismatch {
  const value = headerValue(headers, what.toLowerCase())
  return { what, asked: value === undefined ? absent : value === repeated ? 'several' : value, expected }
}

function nearestRoute(method: string, path: string): Mismatch {
  const nearest = nearestPath(path) ?? ''
  const found = findRoute(nearest)
  if (found === undefined) return { what: 'path', asked: path, expected: `one of ${apiPaths.join(', ')}` }
  const expected = `${nearestMethodOf(found.route.operations, method)} ${nearest}`
  return { what: 'request', asked: `${method} ${path}`, expected }
}

/** The path that was probably meant: the usual mistakes corrected, else the most similar path. */
function nearestPath(path: string): string | undefined {
  const trimmed = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  const fromBase = trimmed.replace(/^.*\/v\d+(?=\/)/i, '/v1')
  const guesses = [trimmed, fromBase, `/v1${trimmed}`, `/v1${trimmed.replace(/^\/api(?=\/)/i, '')}`]
  const found = [...guesses, ...guesses.map(guess => guess.toLowerCase())].find(
    guess => findRoute(guess) !== undefined,
  )
  if (found !== undefined) return found
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  const known = apiPaths.flatMap(candidate => {
    if (!candidate.includes('{')) return [candidate]
    return /^\d+$/.test(last) ? [candidate.replace(/\{\w+\}/, last)] : []
  })
  return didYouMean(trimmed, known) ?? didYouMean(`/v1${trimmed}`, known)
}

function nearestMethod(method: string, path: string): Mismatch {
  const asked = `${method} ${path}`
  const found = findRoute(path)
  if (found === undefined) return { what: 'method', asked, expected: absent }
  const { operations } = found.route
  const allowed = allowedMethods(operations.keys())
  return {
    what: 'request',
    asked,
    expected: `${nearestMethodOf(operations, method)} ${path} (of ${allowed})`,
  }
}

/** An unknown method other than GET probably means POST. */
function nearestMethodOf(operations: ReadonlyMap<string, unknown>, method: string): string {
  const wanted = effectiveMethod(method.toUpperCase())
  if (operations.has(wanted)) return wanted
  const [first = 'GET'] = operations.keys()
  return wanted !== 'GET' && operations.has('POST') ? 'POST' : first
}

/** A parameter or field that the operation ignored (A12, A16). */
export interface Ignored {
  readonly what: 'query parameter' | 'field'
  readonly name: string
  readonly meant: string | null
}

export function ignoredBy({ call, trace: { operation } }: Exchange): readonly Ignored[] {
  if (operation === undefined) return []
  const known = operationOf(operation)
  const parameters = readQuery(readTarget(call.target).query).map(({ name }) => name)
  const body = known.fields && peekJsonBody(call)
  const fields = isObject(body) ? Object.keys(body) : []
  return [
    ...unknownOf('query parameter', parameters, known.parameters),
    ...unknownOf('field', fields, known.fields),
  ]
}

function unknownOf(what: Ignored['what'], names: readonly string[], known: readonly string[] = []) {
  return [...new Set(names)]
    .filter(name => !known.includes(name))
    .map(name => ({ what, name, meant: didYouMean(name, known) ?? null }))
}
